import { OAuthError } from '@legate/oauth';
import { type BodyFault, collectBody, type MemoryBudget } from '@legate/service';
import type { RequestHandler } from 'express';

/**
 * Maximum size of a form: an ID-JAG needs about 1 KB; 64 KB leave room for client assertions and large lists of groups.
 */
const MAX_FORM_BYTES = 65_536;

/**
 * Reads the text of a form from an unauthenticated caller into `req.body`. All these callers together can use only a
 * small share of the budget, so that strangers cannot take memory from users.
 * @throws {OAuthError} `invalid_request`, or `temporarily_unavailable` if the share is used up
 */
export function readFormText(budget: MemoryBudget): RequestHandler {
  return (req, res, next) => {
    const { 'content-encoding': encoding = 'identity' } = req.headers;
    if (encoding !== 'identity') throw new OAuthError('invalid_request', 'content encoding', { status: 415 });
    const memory = budget.openAnonymous();
    res.once('close', () => memory.close());
    collectBody(req, { maxBytes: MAX_FORM_BYTES, memory }, (fault, form) => {
      if (fault === undefined) req.body = form.toBuffer().toString('utf8');
      if (fault !== 'hung_up') next(fault && REFUSALS[fault]());
    });
  };
}

const tooLarge = (): OAuthError => new OAuthError('invalid_request', 'form too large', { status: 413 });

const REFUSALS: Readonly<Record<Exclude<BodyFault, 'hung_up'>, () => OAuthError>> = {
  too_large: tooLarge,
  fragmented: tooLarge,
  no_room: () => new OAuthError('temporarily_unavailable', 'no memory left for forms'),
};
