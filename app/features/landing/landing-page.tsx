import { useEffect } from 'react';
import { useNavigationFocus } from '../../ui/page-visits.ts';
import { SignInLink } from '../../parts/sign-in-link.tsx';
import { Icon } from '../../ui/icon.tsx';
import { priceWords } from '../../words/price-words.ts';
import { FrameDrawing } from './frame-drawing.tsx';
import { Handset } from './handset.tsx';
import { claims, homeownerReasons, homeownerSteps, tradieGains, tradieSteps } from './landing-texts.ts';
import { Proof } from './proof.tsx';
import styles from './landing-page.module.css';

/**
 * `/`: what the product is, for both sides. Waits for nothing: it is a document of its own, which the app takes over
 * where it must.
 */
export function LandingPage() {
  useDocumentTitle('Connecting Homeowners & Tradies Across NZ');
  const heading = useNavigationFocus();
  return (
    <div className={styles.page}>
      <section className={styles.hero} aria-labelledby="hero">
        <div className={styles.heroInner}>
          <div className={styles.heroWords}>
            <h1 id="hero" ref={heading} tabIndex={-1}>
              Connecting Homeowners &amp; Tradies Across NZ
            </h1>
            <p>
              A dwang is the short piece of timber that ties two studs together. Post what needs doing, hear from
              tradies who want the job, and call the one you like.
            </p>
            <div className={styles.actions}>
              <SignInLink variant="primary" intention="post-job">
                Post a Job (Free)
              </SignInLink>
              <SignInLink intention="become-tradie">Join as a Tradie</SignInLink>
            </div>
            <p className={styles.fine}>Tradies: {priceWords.withTrial}.</p>
          </div>
          <div className={styles.heroDrawing}>
            <FrameDrawing />
          </div>
        </div>
      </section>

      <section className={styles.claims} aria-label="What we promise">
        {claims.map(({ icon, title, text }) => (
          <div key={title} className={styles.claim}>
            <Icon name={icon} size="lg" />
            <div>
              <h2>{title}</h2>
              <p>{text}</p>
            </div>
          </div>
        ))}
      </section>

      <section className={styles.works} aria-labelledby="works">
        <Handset />
        <div>
          <h2 id="works">No bars? It still works.</h2>
          <p className={styles.lead}>
            Jobs, photos and notes stay on the phone. What you post or answer in the back paddock goes out when you are
            back in coverage, and says when it went. Try it: turn on flight mode, then open this page again.
          </p>
          <Proof />
        </div>
      </section>

      <section className={styles.section} aria-labelledby="why">
        <h2 id="why">Why homeowners love us</h2>
        <ul role="list" className={styles.reasons}>
          {homeownerReasons.map(({ icon, title, text }) => (
            <li key={title}>
              <Icon name={icon} />
              <div>
                <h3>{title}</h3>
                <p>{text}</p>
              </div>
            </li>
          ))}
        </ul>
      </section>

      <section className={styles.pricing} aria-labelledby="pricing">
        <div className={styles.pricingInner}>
          <div>
            <h2 id="pricing">Tradie pricing</h2>
            <p className={styles.price}>
              <strong>$19</strong>
              <span>+ GST a month</span>
            </p>
            <p>
              <strong>{priceWords.withTrial}.</strong> One flat price. However many jobs you answer, it stays the same.
            </p>
            <SignInLink variant="primary" intention="become-tradie">
              Join as a Tradie
            </SignInLink>
          </div>
          <ul role="list" className={styles.gains}>
            {tradieGains.map((gain) => (
              <li key={gain}>
                <Icon name="check" />
                {gain}
              </li>
            ))}
          </ul>
        </div>
      </section>

      <section className={styles.section} aria-labelledby="how">
        <h2 id="how">How it works</h2>
        <div className={styles.sides}>
          <Steps title="For homeowners" steps={homeownerSteps} />
          <Steps title="For tradies" steps={tradieSteps} />
        </div>
      </section>
    </div>
  );
}

function Steps({
  title,
  steps,
}: {
  readonly title: string;
  readonly steps: readonly { readonly title: string; readonly text: string }[];
}) {
  return (
    <div>
      <h3 className={styles.sideTitle}>{title}</h3>
      <ol role="list" className={styles.steps}>
        {steps.map((step) => (
          <li key={step.title}>
            <h4>{step.title}</h4>
            <p>{step.text}</p>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Names the page in the tab, for a page that has no `Page` heading. */
function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Dwang`;
  }, [title]);
}
