import { createHash, timingSafeEqual } from 'node:crypto';
import { formatBearerChallenge, readBearer } from '@legate/oauth';
import type { RequestHandler } from 'express';
import { problem } from './problem-codes.ts';

/**
 * @throws {Problem} 401 unless the request has the admin key; digests are compared, so that timing does not reveal the
 * key's length
 */
export function requireAdminKey(adminApiKey: string): RequestHandler {
  const expected = createHash('sha256').update(adminApiKey).digest();
  return (req, _res, next) => {
    const credentials = readBearer(req.headers.authorization);
    const given = createHash('sha256')
      .update(credentials.kind === 'token' ? credentials.token : '')
      .digest();
    if (credentials.kind !== 'token' || !timingSafeEqual(given, expected)) {
      const absent = credentials.kind === 'absent';
      throw problem(absent ? 'token_missing' : 'token_invalid', {
        headers: {
          'WWW-Authenticate': formatBearerChallenge({
            realm: 'admin',
            ...(!absent && { error: 'invalid_token' }),
          }),
        },
      });
    }
    next();
  };
}
