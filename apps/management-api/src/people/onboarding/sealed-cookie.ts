import { type EncryptionKeys, open, seal } from '@legate/secure-store';
import { parseCookie } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';
import type { z } from 'zod';

/** A cookie that only this service can read and write. */
export interface SealedCookie<Value> {
  set(res: Response, value: Value): void;
  /** Returns undefined if there is no cookie, or one that we did not write. */
  read(req: Request): Value | undefined;
  clear(res: Response): void;
}

/**
 * @param options.name without its prefix: over https it is `__Host-{name}`, which no other host and no page over plain
 *   http can set (RFC 6265bis §4.1.3.2)
 * @param options.secure false for development over plain http, where no browser takes such a cookie
 */
export function createSealedCookie<Schema extends z.ZodType>(options: {
  name: string;
  schema: Schema;
  maxAgeSeconds: number;
  keys: EncryptionKeys;
  secure: boolean;
}): SealedCookie<z.output<Schema>> {
  const { schema, keys, secure } = options;
  const name = secure ? `__Host-${options.name}` : options.name;
  // Lax: the redirect back from the identity provider is a navigation from another site.
  const attributes: CookieOptions = { httpOnly: true, secure, sameSite: 'lax', path: '/' };
  return {
    set(res, value) {
      const sealed = seal(keys, name, JSON.stringify(value)).toString('base64url');
      res.cookie(name, sealed, { ...attributes, maxAge: options.maxAgeSeconds * 1000 });
    },
    read(req) {
      const sealed = parseCookie(req.headers.cookie ?? '')[name];
      if (sealed === undefined) return undefined;
      try {
        return schema.parse(JSON.parse(open(keys, name, Buffer.from(sealed, 'base64url')).plaintext));
      } catch {
        return undefined; // altered, or encrypted with a deleted key: treated like no cookie
      }
    },
    clear(res) {
      res.clearCookie(name, attributes);
    },
  };
}
