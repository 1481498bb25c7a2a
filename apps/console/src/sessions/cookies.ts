import { type EncryptionKeys, open, seal } from '@legate/secure-store';
import { parseCookie } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';
import { z } from 'zod';

/** The state of a sign-in while the browser is at the identity provider; only the browser stores it, encrypted. */
export const PendingSignIn = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  /** A path of the console */
  returnTo: z.string(),
  /** Key of the session that the browser had before; that session ends when the new one begins. */
  previous: z.string().optional(),
  /** Epoch seconds */
  expiresAt: z.number(),
});
export type PendingSignIn = z.output<typeof PendingSignIn>;

export const SIGN_IN_SECONDS = 600;
const SESSION_ID = /^[A-Za-z0-9_-]{43}$/;

export type Cookies = ReturnType<typeof createCookies>;

/**
 * @param options.secure false for development over plain http. Otherwise the names begin with `__Host-`: no other host and
 *   no page over plain http can set them (RFC 6265bis §4.1.3.2).
 */
export function createCookies({ keys, secure }: { keys: EncryptionKeys; secure: boolean }) {
  const prefix = secure ? '__Host-' : '';
  const [sessionName, pendingName] = [`${prefix}console`, `${prefix}console-sign-in`];
  const common: CookieOptions = { httpOnly: true, secure, path: '/' };
  const strict: CookieOptions = { ...common, sameSite: 'strict' };
  // Lax, because the redirect from the identity provider is a navigation from another site.
  const lax: CookieOptions = { ...common, sameSite: 'lax' };
  const read = (req: Request, name: string) => parseCookie(req.headers.cookie ?? '')[name];

  return {
    /** Lasts until the browser is closed; the session itself ends at the server. */
    setSession: (res: Response, id: string) => void res.cookie(sessionName, id, strict),
    clearSession: (res: Response) => void res.clearCookie(sessionName, strict),
    readSession(req: Request): string | undefined {
      const id = read(req, sessionName);
      return id !== undefined && SESSION_ID.test(id) ? id : undefined;
    },
    setPending(res: Response, pending: PendingSignIn): void {
      const sealed = seal(keys, pendingName, JSON.stringify(pending)).toString('base64url');
      res.cookie(pendingName, sealed, { ...lax, maxAge: SIGN_IN_SECONDS * 1000 });
    },
    clearPending: (res: Response) => void res.clearCookie(pendingName, lax),
    /** Undefined if the cookie is missing or was not made by this console. */
    readPending(req: Request): PendingSignIn | undefined {
      const sealed = read(req, pendingName);
      if (sealed === undefined) return undefined;
      try {
        const { plaintext } = open(keys, pendingName, Buffer.from(sealed, 'base64url'));
        return PendingSignIn.parse(JSON.parse(plaintext));
      } catch {
        return undefined; // altered, or encrypted with a key that was removed: the same as no cookie
      }
    },
  };
}
