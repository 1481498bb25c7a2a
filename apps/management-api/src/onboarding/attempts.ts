import { clientNetwork, RateLimitExceeded, type RateLimiter } from '@legate/rate-limit';
import type { Request, RequestHandler } from 'express';
import { callerOf } from '../authentication/caller-of-request.ts';

/** In a window of ten minutes */
const PER_USER = 10;
const PER_NETWORK = 30;

/** Counts what a flood would be after. @throws {RateLimitExceeded} */
export async function countSignIn(attempts: RateLimiter, req: Request): Promise<void> {
  await count(attempts, `sign-in:ip:${clientNetwork(req.ip)}`, PER_NETWORK);
}

/** The same for links of invitations: nobody tries many tokens. */
export function limitLinks(attempts: RateLimiter): RequestHandler {
  return async (req, _res, next) => {
    await count(attempts, `invitation:ip:${clientNetwork(req.ip)}`, PER_NETWORK);
    next();
  };
}

/** The same for a caller's attempts to create an organization, in the API and in our pages together. */
export function limitAttempts(attempts: RateLimiter): RequestHandler {
  return async (req, res, next) => {
    const { issuer, subject } = callerOf(res);
    await count(attempts, `create-org:user:${issuer}:${subject}`, PER_USER);
    await count(attempts, `create-org:ip:${clientNetwork(req.ip)}`, PER_NETWORK);
    next();
  };
}

async function count(attempts: RateLimiter, key: string, limit: number): Promise<void> {
  const usage = await attempts.consume(`onboarding:${key}`, limit);
  if (usage.exceeded) throw new RateLimitExceeded(usage.resetAfterSeconds);
}
