import type { RecordingServer } from './recording-server.ts';

/** Which secret may be seen where: the proof that no token reached a place it should not. */
export interface Ledger {
  /** @param mayReach origins that may be sent it; none: it must never come back from where it was sent to */
  note(name: string, secret: string, mayReach: readonly string[]): void;
  /** Every secret that a server received and should not have: `name at origin`. */
  straysAt(servers: Iterable<Pick<RecordingServer, 'url' | 'received'>>): string[];
  /** Names of the secrets in a text that should hold none, such as a log. */
  tellsIn(text: string): string[];
}

export function createLedger(): Ledger {
  const entries: { name: string; spellings: readonly string[]; mayReach: readonly string[] }[] = [];
  const tells = (text: string, spellings: readonly string[]) => spellings.some((each) => text.includes(each));
  return {
    note: (name, secret, mayReach) =>
      void entries.push({ name, spellings: [...new Set([secret, encodeURIComponent(secret)])], mayReach }),
    straysAt: (servers) =>
      [...servers].flatMap(({ url, received }) => {
        const text = received.join('\n');
        return entries
          .filter(({ mayReach, spellings }) => !mayReach.includes(url) && tells(text, spellings))
          .map(({ name }) => `${name} at ${url}`);
      }),
    tellsIn: (text) => entries.filter(({ spellings }) => tells(text, spellings)).map(({ name }) => name),
  };
}
