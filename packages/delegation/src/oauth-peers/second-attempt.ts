import type { Delegation } from '../domain/delegation.ts';
import { MAX_PATIENCE_SECONDS, type Pause } from './pause.ts';

/** Retries once after a temporary failure, unless the peer asks to wait longer than a user's request can. */
export async function withSecondAttempt(
  pause: Pause,
  attempt: () => Promise<Delegation>,
): Promise<Delegation> {
  const first = await attempt();
  if (first.outcome !== 'unavailable' || !first.retryable) return first;
  const { retryAfterSeconds } = first;
  if (retryAfterSeconds !== undefined && retryAfterSeconds > MAX_PATIENCE_SECONDS) return first;
  await pause(retryAfterSeconds);
  return attempt();
}
