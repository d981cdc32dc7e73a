import { Card, CardLink } from '../../ui/card.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import styles from './dashboard-cards.module.css';

interface Way {
  readonly href: string;
  readonly title: string;
  readonly text: string;
  readonly icon: IconName;
}

function waysOf(tradieId: string | null): readonly Way[] {
  if (tradieId === null) {
    return [
      { href: '/post-job', title: 'Post a New Job', text: 'Free, and done in under 30 seconds', icon: 'plus' },
      { href: '/find-tradies', title: 'Find Tradies', text: 'Browse businesses near you', icon: 'users' },
    ];
  }
  return [
    { href: '/post-job', title: 'Post Job', text: 'Something of your own', icon: 'plus' },
    { href: '/find-jobs', title: 'Find Jobs', text: 'Every active job in New Zealand', icon: 'search' },
    { href: `/tradie/${tradieId}`, title: 'View Profile', text: 'What homeowners see of you', icon: 'user' },
  ];
}

type DashboardCardsProps = {
  readonly tradieId: string | null;
  /** Something else on the page is what one does first, and has the colour that acts. */
  readonly isSecond: boolean;
};

/** Where one can go from the dashboard: three ways for a tradie, two for a homeowner. */
export function DashboardCards({ tradieId, isSecond }: DashboardCardsProps) {
  const main = tradieId === null ? '/post-job' : '/find-jobs';
  return (
    <ul role="list" className={styles.cards}>
      {waysOf(tradieId).map(({ href, title, text, icon }) => (
        <li key={href}>
          <Card>
            <div className={styles.way}>
              <span className={styles.icon} data-main={(href === main && !isSecond) || undefined}>
                <Icon name={icon} />
              </span>
              <div>
                <h2 className={styles.title}>
                  <CardLink href={href}>{title}</CardLink>
                </h2>
                <p>{text}</p>
              </div>
            </div>
          </Card>
        </li>
      ))}
    </ul>
  );
}
