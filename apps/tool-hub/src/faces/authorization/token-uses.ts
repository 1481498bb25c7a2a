import { hash } from 'node:crypto';
import { OAuthError } from '@legate/oauth';
import { createLatest } from '../../domain/latest.ts';

const WINDOW_SECONDS = 60;
/** High enough for programs that share a refresh token among processes, and that repeat requests lost by a network */
const USES_PER_MINUTE = 60;
const MAX_REMEMBERED = 10_000;

/**
 * Limits, per minute and process, how often one code or token of ours is presented, whether or not it is accepted: a
 * known token is exempt from the limit of failures, and each request costs the verification of an assertion. A token
 * that we have not issued is not counted here.
 */
export function createTokenUses(clock: () => Date) {
  /** Counts of the codes and tokens that were found to be ours, by their digests */
  const uses = createLatest<{ startedAt: number; count: number }>(MAX_REMEMBERED);
  const nameOf = (token: string): string => hash('sha256', token, 'base64url');
  const now = (): number => Math.floor(clock().getTime() / 1000);

  return {
    /** Records that this hub issued the code or token. */
    know(token: string): void {
      const name = nameOf(token);
      if (!uses.has(name)) uses.set(name, { startedAt: now(), count: 1 });
    },
    /** @throws {OAuthError} `temporarily_unavailable` as 429 with `Retry-After` */
    count(token: string): void {
      const found = uses.get(nameOf(token));
      if (!found) return;
      const seconds = found.startedAt + WINDOW_SECONDS - now();
      if (seconds <= 0) Object.assign(found, { startedAt: now(), count: 0 });
      found.count += 1;
      if (found.count > USES_PER_MINUTE)
        throw new OAuthError('temporarily_unavailable', 'the token is presented too often', {
          status: 429,
          headers: { 'Retry-After': String(seconds) },
        });
    },
  };
}
