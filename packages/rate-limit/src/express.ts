import type { Request, RequestHandler, Response } from 'express';
import { RateLimitExceeded } from './errors.ts';
import type { FailureLimiter } from './failure-limiter.ts';
import { rateLimitHeaders } from './headers.ts';
import type { RateLimiter, Usage } from './limiter.ts';
import type { StrangerBudget } from './stranger-budget.ts';

/** The subject whose requests are counted, and its limit. */
export interface Subject {
  /** Key of the subject in the store, unique for each subject */
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
 * Counts the requests of unauthenticated clients that get no error response. A refused request is not counted, since it
 * stores nothing, and any web page may make browsers send it. A response counts even if the browser has disconnected
 * before.
 * @param refuse creates the error from the number of seconds until the next window
 * @param itemsOf returns values that distinguish requests of one network
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
 * Refuses browser requests that are not navigations: a web page could make a browser request ours as an image, a frame
 * or a script, or prefetch it, without the user seeing it. Programs and old browsers do not send these headers, and are
 * accepted.
 */
export const onlyNavigations =
  (refuse: (found: string) => Error): RequestHandler =>
  (req, _res, next) => {
    const destination = req.get('Sec-Fetch-Dest') ?? 'document';
    const found = destination === 'document' ? (req.get('Sec-Purpose') ?? req.get('Purpose')) : destination;
    if (found !== undefined) throw refuse(found.slice(0, 20));
    next();
  };
