import type { OrganizationId } from '@legate/ids';
import { callerRequestIdOf, traceOf } from '@legate/service';
import type { Request, Response } from 'express';
import type { Author } from '../../domain/author.ts';
import type { Caller } from '../../domain/caller.ts';
import { storable } from '../../domain/storable-text.ts';
import { callerOf } from '../authentication/caller-of-request.ts';
import { organizationOf } from './admission.ts';

/** The hub, if it could not be notified of a change, notices it by itself within this time. */
const HUB_POLLS_SECONDS = 30;

export const authorOf = (req: Request, res: Response): Author => authorIn(organizationOf(res).id, req, res);

/**
 * Returns the author for a change in an organization that the caller's token does not name.
 * @param user required if there is no caller yet, because the user has just signed in
 */
export function authorIn(
  organizationId: OrganizationId,
  req: Request,
  res: Response,
  {
    subject,
    email,
    credential,
    serviceAccount,
  }: Pick<Caller, 'subject' | 'email' | 'credential' | 'serviceAccount'> = callerOf(res),
): Author {
  return {
    type: serviceAccount ? 'service_account' : 'user',
    organizationId,
    userId: subject,
    email: storable(email),
    credential,
    requestId: res.get('X-Request-Id') ?? null,
    callerRequestId: callerRequestIdOf(res) ?? null,
    traceId: traceOf(res)?.traceId ?? null,
    ip: storable(req.ip),
    userAgent: storable(req.get('User-Agent')),
    onUnconfirmed: () => res.set('Retry-After', String(HUB_POLLS_SECONDS)),
  };
}
