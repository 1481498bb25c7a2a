import type { ServerResponse } from 'node:http';
import type { SharedUsage } from './fair-share.ts';
import { type Usage, WINDOW_SECONDS } from './limiter.ts';

/** `X-RateLimit-Reset` is epoch seconds (product specification, section 8); the `t` of the IETF field is seconds from now. */
const X_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

/** Names of the headers, as `Access-Control-Expose-Headers` lists them. */
export const RATE_LIMIT_HEADERS: readonly string[] = [
  ...X_HEADERS,
  'RateLimit-Policy',
  'RateLimit',
  'Retry-After',
];

/**
 * Sets only the three headers of the product specification, section 8, and none of the IETF draft's. For responses that
 * must be cheap.
 */
export function setRateLimitHeaders(res: ServerResponse, { limit, remaining, resetAt }: Usage): void {
  res.setHeader('X-RateLimit-Limit', String(limit));
  res.setHeader('X-RateLimit-Remaining', String(remaining));
  res.setHeader('X-RateLimit-Reset', String(resetAt));
}

/**
 * Returns the headers of every counted response, refused or not.
 * @param policy name of the plan, letters and digits. A caller's share of it is the policy `user`.
 * @see draft-ietf-httpapi-ratelimit-headers-10
 */
export function rateLimitHeaders(policy: string, usage: Usage | SharedUsage): Record<string, string> {
  const { limit, remaining, resetAt, resetAfterSeconds } = usage;
  const own = 'scope' in usage ? usage.ownLimit : undefined;
  const nearer = 'scope' in usage && usage.scope === 'user' ? 'user' : policy;
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetAt),
    'RateLimit-Policy':
      `"${policy}";q=${limit};w=${WINDOW_SECONDS}` +
      (own === undefined ? '' : `, "user";q=${own};w=${WINDOW_SECONDS}`),
    RateLimit: `"${nearer}";r=${remaining};t=${resetAfterSeconds}`,
    // RFC 9110 §10.2.3. Never earlier than `t`
    ...(usage.exceeded && { 'Retry-After': String(resetAfterSeconds) }),
  };
}
