import { Problem } from '@legate/service';
import type { Request, Response } from 'express';

/** @throws {Problem} 412 `version_mismatch` */
export type VersionCheck = (version: string) => void;

/**
 * Reads `If-Match` (RFC 9110 §13.1.1), which is compared strongly: a weak tag matches nothing. Without it, any version
 * will do. To be asked in the transaction of the change, or another change could come between.
 */
export function ifMatch(req: Request): VersionCheck {
  const header = req.get('If-Match');
  return (version) => {
    if (header === undefined || header.trim() === '*') return;
    const tags = header.split(',').map((tag) => tag.trim());
    if (tags.includes(etagOf(version))) return;
    throw new Problem(412, 'version_mismatch', 'Version mismatch', {
      detail: 'It was changed since you read it.',
      headers: { ETag: etagOf(version) },
    });
  };
}

/** A strong ETag: the version changes with the thing, a time stamp might not (RFC 9110 §8.8.1). */
export const etagOf = (version: string): string => `"${version}"`;

/** Sends one thing. Express answers 304 where `If-None-Match` has its ETag. */
export function sendVersioned(res: Response, body: unknown, version: string): void {
  res.set('ETag', etagOf(version)).json(body);
}
