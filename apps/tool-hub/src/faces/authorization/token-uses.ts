import { hash } from 'node:crypto';
import { OAuthError } from '@legate/oauth';
import { createLatest } from '../../domain/latest.ts';

const WINDOW_SECONDS = 60;
/** Programs share a refresh token among their processes, and repeat what a network has lost. */
const USES_PER_MINUTE = 60;
const MAX_REMEMBERED = 10_000;

/**
 * Bounds, per minute and process, how often one code or token is presented, whatever comes of it: what is known here passes
 * the limit of failures, and each request costs the verification of an assertion.
 */
export function createTokenUses(clock: () => Date) {
  const uses = createLatest<{ readonly startedAt: number; count: number }>(MAX_REMEMBERED);
  return {
    /** @param token empty: none was presented, which is refused anyway. @throws {OAuthError} `temporarily_unavailable` as 429 with `Retry-After` */
    count(token: string): void {
      if (token === '') return;
      const name = hash('sha256', token, 'base64url');
      const now = Math.floor(clock().getTime() / 1000);
      const found = uses.get(name);
      const running = found && now - found.startedAt < WINDOW_SECONDS ? found : { startedAt: now, count: 0 };
      if (running !== found) uses.set(name, running);
      running.count += 1;
      if (running.count > USES_PER_MINUTE)
        throw new OAuthError('temporarily_unavailable', 'a token is presented too often', {
          status: 429,
          headers: { 'Retry-After': String(running.startedAt + WINDOW_SECONDS - now) },
        });
    },
  };
}
