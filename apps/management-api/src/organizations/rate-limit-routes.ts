import { type RateLimiter, rateLimitHeaders } from '@legate/rate-limit';
import { z } from 'zod';
import { ok } from '../api/answer.ts';
import { type Operation, operation } from '../api/operation.ts';
import { rateLimitSubject, throwOutage } from './admission.ts';

const RateLimit = z
  .strictObject({
    plan: z.enum(['free', 'pro', 'custom']),
    limit: z.number().int().describe('Requests per minute'),
    remaining: z.number().int(),
    reset: z.number().int().describe('Epoch seconds'),
  })
  .meta({ id: 'RateLimit', description: 'The running window of the rate limit.' });

/** Answered before requests are counted, so that looking costs nothing. */
export const rateLimitOperation = (deps: { limiter: RateLimiter; customPlanDefault: number }): Operation =>
  operation({
    method: 'get',
    path: '/rate-limit',
    operationId: 'getRateLimit',
    tag: 'Caller',
    summary: 'Get the state of the rate limit',
    description: 'Does not count.',
    access: 'uncounted',
    responses: { 200: { description: 'What is left of the running window', schema: RateLimit } },
    handle: async ({ res }) => {
      throwOutage(res);
      const { key, policy, limit } = rateLimitSubject(res, deps.customPlanDefault);
      const usage = await deps.limiter.peek(key, limit);
      res.set(rateLimitHeaders(policy, usage));
      return ok({ plan: policy, limit: usage.limit, remaining: usage.remaining, reset: usage.resetAt });
    },
  });
