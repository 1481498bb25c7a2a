import { RateLimitExceeded, type RateLimiter, rateLimitHeaders } from '@legate/rate-limit';
import { z } from 'zod';
import { rateLimitSubject, throwOutage } from '../admission/admission.ts';
import { ok } from '../api/answer.ts';
import { type Operation, operation } from '../api/operation.ts';

const RateLimit = z
  .strictObject({
    plan: z.enum(['free', 'pro', 'custom']),
    limit: z.number().int().describe('Requests per minute'),
    remaining: z.number().int(),
    reset: z.number().int().describe('Epoch seconds'),
  })
  .meta({ id: 'RateLimit', description: 'The running window of the rate limit.' });

/** More than a console needs. These requests do not count against the plan, but must be limited. */
const LOOKS_PER_MINUTE = 60;

/** Handled before requests are counted; it has a separate limit. */
export const rateLimitOperation = (deps: { limiter: RateLimiter }): Operation =>
  operation('getRateLimit', 'get', '/rate-limit', {
    tag: 'Caller',
    summary: 'Get the state of the rate limit',
    description:
      'Does not count against the limit that it shows; at most 60 requests a minute per organization, or per user without one.',
    access: 'uncounted',
    responses: { 200: { description: 'What is left of the running window', schema: RateLimit } },
    handle: async ({ res }) => {
      throwOutage(res);
      const { key, policy, limit } = rateLimitSubject(res);
      const looks = await deps.limiter.consume(`look:${key}`, LOOKS_PER_MINUTE);
      if (looks.exceeded) throw new RateLimitExceeded(looks.resetAfterSeconds);
      const usage = await deps.limiter.peek(key, limit);
      res.set(rateLimitHeaders(policy, usage));
      return ok({ plan: policy, limit: usage.limit, remaining: usage.remaining, reset: usage.resetAt });
    },
  });
