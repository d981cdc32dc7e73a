import { EditAccountPage } from '../features/account-page/edit-account-page.tsx';

export function EditAccountRoute() {
  return <EditAccountPage />;
}
