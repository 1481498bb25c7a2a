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

/** As often as a console may look. A look costs nothing of the plan, but a flood of looks must end somewhere. */
const LOOKS_PER_MINUTE = 60;

/** Answered before requests are counted; looks are counted in a window of their own. */
export const rateLimitOperation = (deps: { limiter: RateLimiter }): Operation =>
  operation({
    method: 'get',
    path: '/rate-limit',
    operationId: 'getRateLimit',
    tag: 'Caller',
    summary: 'Get the state of the rate limit',
    description:
      'Costs nothing of the limit that it shows; more than 60 in a minute, of an organization or else of a user, are refused.',
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
