import type { LinkQuestion, PasswordChoice } from '../context/app-context.ts';
import { createCell, type Cell, type Watched } from '../lib/cell.ts';
import type { Session } from '../session/create-session.ts';
import type { Person } from '../session/device-db.ts';
import type { MailedSession } from '../session/mailed-session.ts';

interface MailedLinkPorts {
  session: Pick<Session, 'state' | 'personHere' | 'signInByLink' | 'decline'>;
  /** Undefined where the address has a session that cannot be read. */
  mailed: MailedSession | undefined;
  /** The session must not stay in the address, from where it could be copied or shared. */
  clearAddress(): void;
}

export interface MailedLink {
  /** Its person; undefined where the address brings none. */
  readonly userId: string | undefined;
  /** To ask the person who is signed in here; null while there is nothing to ask. */
  readonly question: Watched<LinkQuestion | null>;
  /** The person who came by the link to choose a password; null otherwise. */
  readonly choosesPassword: Cell<PasswordChoice | null>;
  /**
   * Takes the link's session. Where another person is signed in here they are asked first; `onChosen` hears at once
   * what they chose. Rejects where the session cannot be had; the address then keeps it, and a reload tries again.
   */
  take(onChosen: (comesIn: boolean) => void): Promise<void>;
}

/**
 * After a restore of the database a person may have their account under another id. The address is theirs: its link
 * came to it.
 */
const isSame = (here: Person, { userId, email }: MailedSession) =>
  here.userId === userId || (email !== '' && here.email === email);

export function createMailedLink({ session, mailed, clearAddress }: MailedLinkPorts): MailedLink {
  const question = createCell<LinkQuestion | null>(null);
  const choosesPassword = createCell<PasswordChoice | null>(null);

  /** Undefined where another person, or none, is signed in by now. */
  async function ask(coming: MailedSession, here: Person): Promise<boolean | undefined> {
    let stop = () => undefined as void;
    const answer = await new Promise<boolean | undefined>((resolve, reject) => {
      stop = session.state.subscribe(() => {
        session.personHere().then((now) => now?.userId !== here.userId && resolve(undefined), reject);
      });
      question.set({ here, comingEmail: coming.email, answer: resolve });
    });
    stop();
    question.set(null);
    return answer;
  }

  /**
   * Read from the device each time: this tab's state may be stale. With the person it may replace, where there is one.
   */
  async function mayComeIn(coming: MailedSession): Promise<{ comesIn: boolean; replaces: string | undefined }> {
    for (;;) {
      const here = await session.personHere();
      if (here === undefined || isSame(here, coming)) return { comesIn: true, replaces: here?.userId };
      const answer = await ask(coming, here);
      if (answer !== undefined) return { comesIn: answer, replaces: here.userId };
    }
  }

  return {
    userId: mailed?.userId,
    question,
    choosesPassword,
    take: async (onChosen) => {
      if (mailed === undefined) throw new Error('the session in the address cannot be read');
      let { comesIn, replaces } = await mayComeIn(mailed);
      onChosen(comesIn);
      // A person who signed in while it was being taken is asked as well.
      while (comesIn && !(await session.signInByLink(mailed, replaces)))
        ({ comesIn, replaces } = await mayComeIn(mailed));
      const { userId, choosesPassword: reason } = mailed;
      if (comesIn && reason !== undefined) choosesPassword.set({ userId, reason });
      clearAddress();
      if (!comesIn) await session.decline(mailed);
    },
  };
}
