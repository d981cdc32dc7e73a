import { SkeletonCards } from '../../ui/skeleton.tsx';

export function DashboardSkeleton() {
  return <SkeletonCards count={3} label="Reading your jobs" />;
}
