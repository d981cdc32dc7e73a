import { useState } from 'react';
import { UrgencyBadge } from '../../parts/urgency-badge.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { iconPaths } from '../../ui/icon-paths.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Logo } from '../../ui/logo.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useToasts } from '../../ui/toasts-context.ts';
import styles from './dev-ui.module.css';

const iconNames = Object.keys(iconPaths) as IconName[];

/** Buttons, words that come and go, icons. */
export function MessageParts() {
  const toasts = useToasts();
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  return (
    <>
      <Card as="section">
        <h2>Buttons</h2>
        <div className={styles.row}>
          <Button variant="primary">Post a Job (Free)</Button>
          <Button
            variant="primary"
            icon="send"
            isBusy={isBusy}
            busyText="Processing..."
            onPress={() => setIsBusy(!isBusy)}
          >
            Continue to Payment
          </Button>
          <Button variant="primary" isBusy busyText="Saving...">
            Save Changes
          </Button>
          <Button variant="primary" isDisabled>
            Post Job
          </Button>
          <Button>Cancel</Button>
          <Button isDisabled>Verify</Button>
          <Button variant="danger" icon="crossCircle">
            Close Job
          </Button>
          <Button variant="plain" icon="arrowLeft">
            Back
          </Button>
          <LinkButton href="/post-job" variant="primary" icon="plus">
            Post a New Job
          </LinkButton>
          <LinkButton href="/find-jobs">Browse Jobs</LinkButton>
          <Menu
            label="Your account"
            trigger={
              <Button icon="user" variant="plain">
                Aroha
              </Button>
            }
            entries={[
              { id: 'become', label: 'Become a Tradie', icon: 'tools', href: '/become-tradie' },
              { id: 'account', label: 'Manage Account', icon: 'user', href: '/edit-account' },
              { id: 'out', label: 'Log Out', icon: 'logOut' },
            ]}
          />
          <Spinner label="Loading" />
        </div>
      </Card>
      <Card as="section">
        <h2>Words</h2>
        <div className={styles.row}>
          <UrgencyBadge urgency="slow" />
          <UrgencyBadge urgency="soon" />
          <UrgencyBadge urgency="urgent" />
          <Badge icon="check" tone="good">
            Interest Expressed
          </Badge>
          <Badge icon="phone">Saved on this phone</Badge>
          <Badge icon="arrowUp">Sending</Badge>
          <Badge icon="alert" tone="bad">
            Couldn’t send: see why
          </Badge>
          <Badge icon="shield" tone="good">
            Verified Business
          </Badge>
        </div>
        <Banner tone="good" onDismiss={() => undefined} announce="none">
          Easy as! Tradies can see your posted job and will express interest, sorted.
        </Banner>
        <Banner tone="info" title="A new version is ready" announce="none" actions={<Button>Reload</Button>}>
          Reload when you’re done.
        </Banner>
        <Banner tone="warn" title="Are you qualified?" announce="none">
          Restricted trades such as plumbing or electrical are asked for a licence.
        </Banner>
        <Banner tone="bad" title="Subscription Required" announce="none">
          Your subscription has lapsed.
        </Banner>
        <div className={styles.row}>
          <Button
            onPress={() =>
              toasts.show({
                title: 'Job Posted!',
                description: 'Your job has been posted successfully. Tradies can now express interest.',
              })
            }
          >
            Toast
          </Button>
          <Button
            onPress={() =>
              toasts.show({ title: 'Saved on this phone', action: { label: 'See', onAction: () => undefined } })
            }
          >
            Toast with action
          </Button>
          <Button
            onPress={() => toasts.show({ variant: 'destructive', title: 'Error', description: 'Failed to post job' })}
          >
            Destructive toast
          </Button>
          <Button onPress={() => setIsOpen(true)}>Dialog</Button>
        </div>
      </Card>
      <Dialog
        title="Sign in or sign up"
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        onBack={() => undefined}
        actions={
          <>
            <Button>Forgot password?</Button>
            <Button variant="primary">Continue</Button>
          </>
        }
      >
        <TextField label="Email" type="email" autoComplete="email" inputMode="email" value="" />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          hint="At least 6 characters"
          value=""
        />
      </Dialog>
      <Card as="section">
        <h2>Icons</h2>
        <Logo />
        <div className={styles.icons}>
          {iconNames.map((name) => (
            <span key={name}>
              <Icon name={name} size="lg" />
              {name}
            </span>
          ))}
        </div>
      </Card>
    </>
  );
}
