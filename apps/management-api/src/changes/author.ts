import type { Request, Response } from 'express';
import { callerOf } from '../caller/caller.ts';
import { organizationOf } from '../organizations/admission.ts';

/** Who changes something, and by which request: for the audit trail. */
export interface Author {
  readonly type: 'user' | 'system';
  readonly organizationId: string;
  /** `sub` of the token; `management-api` for what it does by itself */
  readonly userId: string;
  readonly email: string | null;
  readonly requestId: string | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
}

const MAX_TEXT = 500;

export const authorOf = (req: Request, res: Response): Author => authorIn(organizationOf(res).id, req, res);

/** The same, for an organization that the caller's token does not name. */
export function authorIn(organizationId: string, req: Request, res: Response): Author {
  const { subject, email } = callerOf(res);
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

/** For what happens without a request. */
export const systemAuthor = (organizationId: string): Author => ({
  type: 'system',
  organizationId,
  userId: 'management-api',
  email: null,
  requestId: null,
  ip: null,
  userAgent: null,
});

/** PostgreSQL stores neither U+0000 nor half a character, and a claim or header may hold both. */
export function storable(text: string | undefined): string | null {
  return text === undefined ? null : text.slice(0, MAX_TEXT).replace(/[\p{Cc}\p{Cs}]/gu, '');
}
