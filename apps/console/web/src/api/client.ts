import { t } from '../text/en.ts';
import { createApi } from './create-api.ts';
import type { ApiProblem } from './problem.ts';

/** The problem that ended the session, which the shell shows. */
export type Ending =
  | { readonly kind: 'signed_out' }
  | { readonly kind: 'shut_out'; readonly problem: ApiProblem };

let ending: Ending | undefined;
const listeners = new Set<() => void>();

function end(next: Ending | undefined): void {
  ending = next;
  for (const listener of listeners) listener();
}

/** Stores the problem that ended the session, in the form that `useSyncExternalStore` needs */
export const endings = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  current: (): Ending | undefined => ending,
  /** Clears the stored problem: the session is valid again */
  clear: () => end(undefined),
};

export const api = createApi({
  fetch: (input, init) => fetch(input, init),
  onSignedOut: () => end({ kind: 'signed_out' }),
  onShutOut: (problem) => end({ kind: 'shut_out', problem }),
  titles: t.problem,
});

/** Paths of the two services, as the backend of the console serves them */
export const management = (path: string): string => `/bff/api${path}`;
export const hub = (path: string): string => `/bff/hub${path}`;
