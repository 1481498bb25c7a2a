import { createStrangerBudget, RateLimitExceeded, type RateLimiter } from '@legate/rate-limit';
import { limitStrangers, onlyNavigations } from '@legate/rate-limit/express';
import type { Request, RequestHandler } from 'express';
import { callerOf } from '../../callers/authentication/caller-of-request.ts';
import { problem } from '../../domain/problem-codes.ts';

/** Attempts of one user to create an organization, within ten minutes */
const PER_USER = 10;
/** The limit for all unauthenticated callers together, per minute and process (docs/adr/0089) */
const PER_MINUTE = { signIns: 480, links: 480, creations: 320 } as const;

export type Attempts = ReturnType<typeof createAttempts>;

/**
 * Counts the operations that a flood of requests would target, in the API and in our pages together.
 * @param deps.perUser with a window of ten minutes
 */
export function createAttempts(deps: {
  perUser: RateLimiter;
  /** Attempts per minute, in place of the default */
  perMinute?: number | undefined;
  clock: () => Date;
}) {
  const { perUser, clock } = deps;
  const onDecision = (decision: 'allowed' | 'refused') => {
    if (decision === 'refused') perUser.refusedUnasked?.();
  };
  const budgetOf = (what: keyof typeof PER_MINUTE) =>
    createStrangerBudget({ perMinute: deps.perMinute ?? PER_MINUTE[what], clock, onDecision });
  const [signIns, links, creations] = [budgetOf('signIns'), budgetOf('links'), budgetOf('creations')];
  const tooMany = (seconds: number) => new RateLimitExceeded(seconds);

  return {
    /** Counts a browser that is redirected to the identity provider. @throws {RateLimitExceeded} */
    countSignIn(req: Request): void {
      const { seconds } = signIns.take({ address: req.ip });
      if (seconds > 0) throw tooMany(seconds);
    },
    /** Counts how often links of invitations are opened, so that nobody can try many tokens. */
    limitLinks: limitStrangers(links, tooMany),
    /** Counts a caller's attempt to create an organization. */
    limitCreations: (async (req, res, next) => {
      const { issuer, subject } = callerOf(res);
      const user = `${issuer}:${subject}`;
      const usage = await perUser.consume(`onboarding:create-org:user:${user}`, PER_USER);
      if (usage.exceeded) throw tooMany(usage.resetAfterSeconds);
      const { seconds } = creations.take({ address: req.ip, items: [user] });
      if (seconds > 0) throw tooMany(seconds);
      next();
    }) satisfies RequestHandler,
  };
}

/**
 * Refuses requests that another page makes invisibly, such as for a picture, before they count. @throws {Problem} 403
 */
export const refuseUnseen: RequestHandler = onlyNavigations(() => problem('cross_site_request'));
