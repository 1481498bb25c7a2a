import type { WayOn } from './faults.ts';
import type { Link } from './pages.ts';

/** The addresses that pages lead to. */
export interface Ways {
  /** Path of the pages */
  readonly base: string;
  /** Where the pages are, as a person would name it */
  readonly ownHost: string;
  /** To a sign-in that asks who it is */
  switchUser(returnTo: string): string;
  signIn(returnTo: string | undefined, label: string): Link;
  /**
   * The application that is waiting, named by its host: whatever else it calls itself, that is where the user goes.
   * Undefined where none is, for sign-in was begun at our own pages.
   */
  applicationAt(returnTo: string | undefined): Link | undefined;
  wayOn(way: WayOn, returnTo: string | undefined): Link;
  /** @returns what was asked for where that is one of the known pages: ours must send nobody to a stranger's */
  known(returnTo: unknown): string | undefined;
}

export function createWays(options: { pagesUrl: string; returnTo: readonly [string, ...string[]] }): Ways {
  const { pagesUrl } = options;
  const { pathname: base, host: ownHost } = new URL(pagesUrl);
  // Absolute: the cookie of a sign-in must be set on the host that it comes back to.
  const signInUrl = (parameters: Record<string, string | undefined>) => {
    const url = new URL(`${pagesUrl}/sign-in`);
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    return url.href;
  };
  const signIn = (returnTo: string | undefined, label: string): Link => ({
    href: signInUrl({ return_to: returnTo }),
    label,
  });
  return {
    base,
    ownHost,
    switchUser: (returnTo) => signInUrl({ return_to: returnTo, another_user: '1' }),
    signIn,
    applicationAt(returnTo = options.returnTo[0]) {
      return returnTo === pagesUrl ? undefined : { href: returnTo, label: new URL(returnTo).host };
    },
    wayOn: (way, returnTo) =>
      way === 'onward' ? { href: base, label: 'Show the present step' } : signIn(returnTo, 'Sign in again'),
    known: (returnTo) => options.returnTo.find((page) => page === returnTo),
  };
}
