import type { Request, RequestHandler, Response } from 'express';
import { RateLimitExceeded } from './errors.ts';
import type { FailureLimiter } from './failure-limiter.ts';
import { rateLimitHeaders } from './headers.ts';
import type { RateLimiter, Usage } from './limiter.ts';
import type { StrangerBudget } from './stranger-budget.ts';

/** The subject whose requests are counted, and its limit. */
export interface Subject {
  /** The subject's key in the store, different for each subject */
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
  return async (req, res, next) => {
    const seconds = await failures.blockedSeconds(req.ip, { isKnown: isKnown && (() => isKnown(req)) });
    if (seconds > 0) {
      res.set('Retry-After', String(seconds));
      throw new RateLimitExceeded(seconds);
    }
    next();
  };
}

/**
 * Counts the requests of strangers that are answered with no error: what is refused stores nothing, and any page may make
 * browsers send it. The answer counts although the browser has gone away before it.
 * @param refuse makes the error from the seconds until the next minute
 * @param itemsOf tells requests of one network apart
 */
export function limitStrangers(
  budget: StrangerBudget,
  refuse: (seconds: number) => Error,
  itemsOf: (req: Request) => readonly string[] = () => [],
): RequestHandler {
  return (req, res, next) => {
    const { seconds, giveBack } = budget.take({ address: req.ip, items: itemsOf(req) });
    if (seconds > 0) throw refuse(seconds);
    const end = res.end.bind(res) as (...args: unknown[]) => Response;
    res.end = (...args: unknown[]) => {
      if (res.statusCode >= 400) giveBack();
      return end(...args);
    };
    next();
  };
}

/**
 * Refuses what is no navigation of a browser: a page could make it request ours as an image, a frame or a script, or in
 * advance, unseen. Programs and old browsers send no such headers.
 */
export const onlyNavigations =
  (refuse: (found: string) => Error): RequestHandler =>
  (req, _res, next) => {
    const destination = req.get('Sec-Fetch-Dest') ?? 'document';
    const found = destination === 'document' ? (req.get('Sec-Purpose') ?? req.get('Purpose')) : destination;
    if (found !== undefined) throw refuse(found.slice(0, 20));
    next();
  };
