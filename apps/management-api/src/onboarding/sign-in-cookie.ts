import { type EncryptionKeys, open, seal } from '@legate/secure-store';
import { parseCookie } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';
import { PendingSignIn, SIGN_IN_SECONDS } from './sign-in.ts';

export interface SignInCookie {
  set(res: Response, pending: PendingSignIn): void;
  /** Undefined where there is none that we have set. */
  read(req: Request): PendingSignIn | undefined;
  clear(res: Response): void;
}

/** @param options.secure false for development over plain http, where no browser takes a `__Host-` cookie */
export function createSignInCookie(options: { keys: EncryptionKeys; secure: boolean }): SignInCookie {
  const name = options.secure ? '__Host-oauth' : 'oauth';
  // Lax: the way back from the identity provider is a navigation from another site.
  const attributes: CookieOptions = { httpOnly: true, secure: options.secure, sameSite: 'lax', path: '/' };
  return {
    set(res, pending) {
      const value = seal(options.keys, name, JSON.stringify(pending)).toString('base64url');
      res.cookie(name, value, { ...attributes, maxAge: SIGN_IN_SECONDS * 1000 });
    },
    read(req) {
      const value = parseCookie(req.headers.cookie ?? '')[name];
      if (value === undefined) return undefined;
      try {
        const { plaintext } = open(options.keys, name, Buffer.from(value, 'base64url'));
        return PendingSignIn.parse(JSON.parse(plaintext));
      } catch {
        return undefined; // altered, or of a key that is gone: as good as none
      }
    },
    clear(res) {
      res.clearCookie(name, attributes);
    },
  };
}
