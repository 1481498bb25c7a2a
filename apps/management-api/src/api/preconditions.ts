import type { Request } from 'express';
import { problem } from '../domain/problem-codes.ts';
import type { VersionCheck } from '../domain/stored.ts';

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
    throw problem('version_mismatch', {
      detail: 'It was changed since you read it.',
      headers: { ETag: etagOf(version) },
    });
  };
}

/** A strong ETag: the version changes with the thing, a time stamp might not (RFC 9110 §8.8.1). */
export const etagOf = (version: string): string => `"${version}"`;
