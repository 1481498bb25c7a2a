import type { Problem } from '@legate/service';
import type { Request } from 'express';
import { problem } from '../../domain/problem-codes.ts';
import type { VersionCheck } from '../../domain/stored.ts';

/**
 * Reads `If-Match` (RFC 9110 §13.1.1), which is compared strongly: a weak tag matches nothing. Without it, any version
 * matches. The check must run in the transaction of the change, or another change could come in between.
 */
export function ifMatch(req: Request): VersionCheck {
  const wanted = tagsOf(req, 'If-Match');
  return (version) => {
    if (!wanted) return;
    if (version === undefined) throw mismatch('The resource does not exist.', version);
    if (wanted.includes('*') || wanted.includes(etagOf(version))) return;
    throw mismatch('The resource was changed since you read it.', version);
  };
}

/**
 * Reads `If-Match`, and `If-None-Match` (RFC 9110 §13.1.2), with which a PUT may require that none of the given
 * versions exists; `*` stands for any.
 */
export function putPreconditions(req: Request): VersionCheck {
  const [match, unwanted] = [ifMatch(req), tagsOf(req, 'If-None-Match')];
  return (version) => {
    match(version);
    if (version === undefined || !unwanted) return;
    const isUnwanted = unwanted.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etagOf(version));
    if (isUnwanted) throw mismatch('The resource exists already.', version);
  };
}

const tagsOf = (req: Request, header: string): string[] | undefined =>
  req
    .get(header)
    ?.split(',')
    .map((tag) => tag.trim());

const mismatch = (detail: string, version: string | undefined): Problem =>
  problem('version_mismatch', {
    detail,
    ...(version !== undefined && { headers: { ETag: etagOf(version) } }),
  });

/** Returns a strong ETag: the version changes with every change, which a time stamp might not (RFC 9110 §8.8.1). */
export const etagOf = (version: string): string => `"${version}"`;
