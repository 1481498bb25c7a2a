import { api } from '../api/client.ts';

interface SignOutAnswer {
  /** Where the provider ends its own session */
  readonly continue_to: string;
  readonly hub: 'ended' | 'unreachable';
}

/** Ends the session of this browser, and continues to the sign-out at the identity provider. */
export async function signOut(): Promise<void> {
  const { continue_to } = await end(false);
  leave(continue_to);
}

/**
 * Ends every session of this person. If the hub does not respond, its sessions may continue, and the caller
 * must show that.
 */
export const signOutEverywhere = (): Promise<SignOutAnswer> => end(true);

export const leave = (address: string): void => window.location.assign(address);

const end = async (everywhere: boolean): Promise<SignOutAnswer> =>
  (await api.send<SignOutAnswer>('/bff/sign-out', { method: 'POST', body: { everywhere } })).data;

/** Redirects to the reader's first page, which depends on their role */
const LANDING = '/start';

/**
 * Returns the URL that signs the reader in and returns to the current page, or to their first page if there
 * is none.
 */
export const signInAddress = (returnTo = LANDING): string =>
  `/bff/sign-in?return_to=${encodeURIComponent(returnTo)}`;
