import { hash, randomBytes } from 'node:crypto';
import { parseCookie } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';

/** A cookie that distinguishes browsers. Its random value is useless without the flow that was started with it. */
export type BrowserCookie = ReturnType<typeof createBrowserCookie>;

const MAX_AGE_SECONDS = 3600;

/**
 * @param options.secure true over https: the cookie is `__Host-legate-connect`, which no other host and no page over
 *   plain http can set (RFC 6265bis §4.1.3.2); false for development over plain http, where browsers refuse such a
 *   cookie
 */
export function createBrowserCookie(options: { secure: boolean }) {
  const { secure } = options;
  const name = secure ? '__Host-legate-connect' : 'legate-connect';
  // Lax: the redirect back from an authorization server is a navigation from another site.
  const attributes: CookieOptions = { httpOnly: true, secure, sameSite: 'lax', path: '/' };
  const cookieOf = (req: Request): string | undefined => {
    const value = parseCookie(req.headers.cookie ?? '')[name];
    return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined;
  };
  return {
    /**
     * Returns the hash of this browser's value, for later comparison; sets a value if the browser has none. The value
     * itself is not stored.
     */
    ensure(req: Request, res: Response): string {
      // A second tab uses the same value, so that neither invalidates the other's flow.
      const value = cookieOf(req) ?? randomBytes(32).toString('base64url');
      res.cookie(name, value, { ...attributes, maxAge: MAX_AGE_SECONDS * 1000 });
      return hashed(value);
    },
    /** Returns the hash of this browser's value; undefined if the browser has none. */
    read(req: Request): string | undefined {
      const value = cookieOf(req);
      return value === undefined ? undefined : hashed(value);
    },
  };
}

const hashed = (value: string): string => hash('sha256', value, 'base64url');
