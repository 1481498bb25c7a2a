import type { WayOn } from '../../../domain/problem-codes.ts';
import type { Link } from './pages.ts';

export type Ways = ReturnType<typeof createWays>;

/** Creates the links of the pages. */
export function createWays(options: {
  pagesUrl: string;
  returnTo: readonly [string, ...string[]];
  /** Page of an application → its client at the identity provider */
  clients: ReadonlyMap<string, string>;
}) {
  const { pagesUrl } = options;
  const { pathname: base } = new URL(pagesUrl);
  // Absolute: the cookie of a sign-in must be set on the host to which the sign-in returns.
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
    /** Base path of the pages */
    base,
    /** Returns the link to a sign-in that asks which user to sign in. */
    switchUser: (returnTo: string) => signInUrl({ return_to: returnTo, another_user: '1' }),
    signIn,
    /**
     * Returns a link to the waiting application, labelled with the host that the user will reach, whatever name it
     * uses. Undefined if there is none, because sign-in began at our own pages.
     */
    applicationAt(returnTo: string = options.returnTo[0]): Link | undefined {
      return returnTo === pagesUrl ? undefined : { href: returnTo, label: new URL(returnTo).host };
    },
    /** Returns the client of that application at the identity provider; undefined: no consent can be asked for. */
    clientAt: (returnTo: string = options.returnTo[0]): string | undefined =>
      returnTo === pagesUrl ? undefined : options.clients.get(returnTo),
    wayOn(way: WayOn, returnTo: string | undefined): Link {
      switch (way) {
        case 'onward':
          return { href: base, label: 'Show the current step' };
        case 'sign_in':
          return signIn(returnTo, 'Sign in again');
        case 'other_account': {
          const href = signInUrl({ return_to: returnTo, another_user: '1' });
          return { href, label: 'Sign in as somebody else' };
        }
      }
    },
    /** @returns the requested page if it is configured: our pages must not link to a stranger's page */
    known: (returnTo: unknown) => options.returnTo.find((page) => page === returnTo),
  };
}
