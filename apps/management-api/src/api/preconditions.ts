import { Problem } from '@legate/service';
import type { Request, Response } from 'express';

/** `If-Match`, to be asked in the transaction of the change, or another change could come between. */
export interface VersionCheck {
  /** @throws {Problem} 412 `version_mismatch`; 428 `precondition_required` where the operation requires one, and none is named */
  (version: string): void;
  /** Whether it says which version its author has read: `*` is any. */
  readonly namesVersion: boolean;
}

/**
 * Reads `If-Match` (RFC 9110 §13.1.1), which is compared strongly: a weak tag matches nothing. Without it, any version
 * will do, unless one is required.
 */
export function ifMatch(req: Request, isRequired = false): VersionCheck {
  const header = req.get('If-Match')?.trim();
  const namesVersion = header !== undefined && header !== '*';
  const check = (version: string): void => {
    if (!namesVersion) {
      if (isRequired) throw preconditionRequired();
      return;
    }
    const tags = header.split(',').map((tag) => tag.trim());
    if (tags.includes(etagOf(version))) return;
    throw new Problem(412, 'version_mismatch', 'Version mismatch', {
      detail: 'It was changed since you read it.',
      headers: { ETag: etagOf(version) },
    });
  };
  return Object.assign(check, { namesVersion });
}

/** @throws {Problem} 428, for what may be done only by who knows the version that it is done to */
export function requireVersion({ namesVersion }: VersionCheck): void {
  if (!namesVersion) throw preconditionRequired();
}

/** RFC 6585 §3. Without the ETag: it is to come from reading the thing. */
const preconditionRequired = (): Problem =>
  new Problem(428, 'precondition_required', 'Precondition required', {
    detail: 'Read it, and send the ETag of what you have read as If-Match; * is none.',
  });

/** A strong ETag: the version changes with the thing, a time stamp might not (RFC 9110 §8.8.1). */
export const etagOf = (version: string): string => `"${version}"`;

/** Sends one thing. Express answers 304 where `If-None-Match` has its ETag. */
export function sendVersioned(res: Response, body: unknown, version: string): void {
  res.set('ETag', etagOf(version)).json(body);
}
