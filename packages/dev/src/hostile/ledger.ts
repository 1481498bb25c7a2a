import type { RecordingServer } from './recording-server.ts';

/** Records which secret may appear where, to prove that no token reached a place where it must not be. */
export interface Ledger {
  /** @param mayReach origins that may receive it; if empty, no server may receive it, not even the one that sent it */
  note(name: string, secret: string, mayReach: readonly string[]): void;
  /** Returns every secret that a server received but must not have: `name at origin`. */
  straysAt(servers: Iterable<Pick<RecordingServer, 'url' | 'received'>>): string[];
  /** Returns the names of the secrets in a text that should contain none, such as a log. */
  namesIn(text: string): string[];
}

export function createLedger(): Ledger {
  const entries: { name: string; spellings: readonly string[]; mayReach: readonly string[] }[] = [];
  const contains = (text: string, spellings: readonly string[]) =>
    spellings.some((each) => text.includes(each));
  return {
    note: (name, secret, mayReach) =>
      void entries.push({ name, spellings: [...new Set([secret, encodeURIComponent(secret)])], mayReach }),
    straysAt: (servers) =>
      [...servers].flatMap(({ url, received }) => {
        const text = received.join('\n');
        return entries
          .filter(({ mayReach, spellings }) => !mayReach.includes(url) && contains(text, spellings))
          .map(({ name }) => `${name} at ${url}`);
      }),
    namesIn: (text) => entries.filter(({ spellings }) => contains(text, spellings)).map(({ name }) => name),
  };
}
