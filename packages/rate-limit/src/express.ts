import type { Request, RequestHandler, Response } from 'express';
import { RateLimitExceeded } from './errors.ts';
import type { FailureLimiter } from './failure-limiter.ts';
import { rateLimitHeaders } from './headers.ts';
import type { RateLimiter, Usage } from './limiter.ts';

/** The subject whose requests are counted, and its limit. */
export interface Subject {
  /** Unlike for different subjects; part of the key in the store */
  readonly key: string;
  /** Name of the plan, for the headers */
  readonly policy: string;
  /** Requests per minute */
  readonly limit: number;
}

/**
 * Counts the request and sets the rate limit headers, whatever its outcome. Mount it after authentication.
 * @param onCounted called for each counted request, refused or not
 * @throws {RateLimitExceeded}
 */
export function limitRequests(
  limiter: RateLimiter,
  subjectOf: (res: Response) => Subject,
  onCounted?: (res: Response, usage: Usage) => void,
): RequestHandler {
  return async (_req, res, next) => {
    const { key, policy, limit } = subjectOf(res);
    const usage = await limiter.consume(key, limit);
    onCounted?.(res, usage);
    res.set(rateLimitHeaders(policy, usage));
    if (usage.exceeded) throw new RateLimitExceeded(usage.resetAfterSeconds, policy);
    next();
  };
}

/**
 * Refuses clients that failed to authenticate too often. Mount it before authentication; `trust proxy` must name the
 * proxies, because otherwise clients choose `req.ip` themselves. Sends only `Retry-After`, so that the `X-RateLimit`
 * headers keep one meaning.
 * @param isKnown only called for a blocked client: returns true for a request whose credentials were verified before
 * @throws {RateLimitExceeded}
 */
export function refuseBlockedClients(
  failures: FailureLimiter,
  isKnown?: (req: Request) => boolean,
): RequestHandler {
  return (req, res, next) => {
    const seconds = failures.blockedSeconds(req.ip, isKnown && (() => isKnown(req)));
    if (seconds > 0) {
      res.set('Retry-After', String(seconds));
      throw new RateLimitExceeded(seconds);
    }
    next();
  };
}
