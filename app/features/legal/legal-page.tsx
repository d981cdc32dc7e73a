import { Page } from '../../ui/page.tsx';
import { supportEmail } from '../../words/common-words.ts';
import styles from './legal-page.module.css';
import { lastUpdated, legalDocuments, type Clause, type LegalDocument } from './legal-texts.ts';

/** `/legal`: needs neither configuration nor session nor database, so it can be prerendered. */
export function LegalPage() {
  return (
    <Page title="Terms of use and Privacy policy">
      <nav className={styles.contents} aria-label="On this page">
        <ul role="list">
          {legalDocuments.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      {legalDocuments.map((document) => (
        <DocumentText key={document.id} document={document} />
      ))}
      <p className={styles.contact}>
        Questions about any of this: <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
      </p>
    </Page>
  );
}

function DocumentText({ document: { id, title, inShort, clauses } }: { readonly document: LegalDocument }) {
  return (
    <section id={id} className={styles.document} aria-labelledby={`${id}-title`}>
      <header className={styles.head}>
        <h2 id={`${id}-title`}>{title}</h2>
        <p className={styles.updated}>
          Last updated <time dateTime="2025-10-13">{lastUpdated}</time>
        </p>
        <p className={styles.short}>{inShort}</p>
      </header>
      {clauses.map((clause) => (
        <ClauseText key={clause.heading} clause={clause} />
      ))}
    </section>
  );
}

function ClauseText({ clause: { heading, says } }: { readonly clause: Clause }) {
  return (
    <div className={styles.clause}>
      <h3>{heading}</h3>
      {says.map((part, at) =>
        typeof part === 'string' ? (
          <p key={at}>{part}</p>
        ) : (
          <ul key={at}>
            {part.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        ),
      )}
    </div>
  );
}
