import type { Request, Response } from 'express';
import { type Caller, callerOf } from '../caller/caller.ts';
import { organizationOf } from '../organizations/admission.ts';
import { storable } from '../resources/storable-text.ts';
import type { Author } from './author.ts';

export const authorOf = (req: Request, res: Response): Author => authorIn(organizationOf(res).id, req, res);

/**
 * The same, for an organization that the caller's token does not name.
 * @param user where nobody has called yet, but somebody has just signed in
 */
export function authorIn(
  organizationId: string,
  req: Request,
  res: Response,
  { subject, email }: Pick<Caller, 'subject' | 'email'> = callerOf(res),
): Author {
  return {
    type: 'user',
    organizationId,
    userId: subject,
    email: storable(email),
    requestId: res.get('X-Request-Id') ?? null,
    ip: storable(req.ip),
    userAgent: storable(req.get('User-Agent')),
  };
}
