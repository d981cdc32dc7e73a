/** Sessions and their access tokens, as far as sync sees them. */
export interface Tokens {
  /** A token that is good now; undefined where the session was ended. */
  fresh(userId: string): string | undefined;
  userOf(token: string | undefined): string | undefined;
  /** Tokens handed out so far are of no use any more. */
  expire(userId: string): void;
  /** The session itself is over, until the person signs in again. */
  end(userId: string): void;
  signIn(userId: string): void;
}

export function createTokens(): Tokens {
  const generations = new Map<string, number>();
  const ended = new Set<string>();
  const generationOf = (userId: string) => generations.get(userId) ?? 0;
  const expire = (userId: string) => void generations.set(userId, generationOf(userId) + 1);
  return {
    fresh: (userId) => (ended.has(userId) ? undefined : `${userId} ${generationOf(userId)}`),
    userOf: (token) => {
      const [userId = '', generation] = (token ?? '').split(' ');
      return token !== undefined && !ended.has(userId) && Number(generation) === generationOf(userId) ? userId : undefined;
    },
    expire,
    end: (userId) => {
      ended.add(userId);
      expire(userId);
    },
    signIn: (userId) => void ended.delete(userId),
  };
}
