import { isDeepStrictEqual } from 'node:util';
import { bodyProblems, type FieldProblem, ownWords, validationFailed } from '@legate/service';
import type { RequestHandler } from 'express';
import type { z } from 'zod';
import { jsonBody } from './json-body.ts';

/** Plain JSON is accepted as a merge patch, since most clients send it. */
const MEDIA_TYPES = ['application/merge-patch+json', 'application/json'];

export const mergePatchBody = (): RequestHandler[] => jsonBody(MEDIA_TYPES, 'Accept-Patch');

/**
 * Reads a merge patch (RFC 7396) of `current`. Fields that are not in the schema are read-only: they may be sent
 * back unchanged, so that a client can modify the response to a GET and send all of it. Arrays are replaced as a whole.
 * @param schema strict, with only optional fields
 * @throws {Problem} 400 `validation_failed`
 */
export function parsePatch<Schema extends z.ZodObject>(
  schema: Schema,
  patch: unknown,
  current: object,
): z.output<Schema> {
  if (!isObject(patch)) {
    throw validationFailed(bodyProblems(schema, patch));
  }
  const readOnly = Object.entries(patch).filter(
    ([field]) => Object.hasOwn(current, field) && !Object.hasOwn(schema.shape, field),
  );
  const touched = readOnly.filter(([field, value]) => !isDeepStrictEqual(value, Reflect.get(current, field)));
  const names = readOnly.map(([field]) => field);
  const rest = Object.fromEntries(
    Object.entries(patch)
      .filter(([field]) => !names.includes(field))
      .map(([field, value]) => [
        field,
        merged(Object.hasOwn(current, field) ? Reflect.get(current, field) : undefined, value),
      ]),
  );
  const parsed = schema.safeParse(rest, { error: ownWords });
  const errors = [...touched.map(([field]) => readOnlyProblem(field)), ...bodyProblems(schema, rest)];
  if (!parsed.success || errors.length > 0) throw validationFailed(errors);
  return parsed.data;
}

/** Merges values below the top level (RFC 7396 §2): null removes a member. */
function merged(current: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const kept = Object.entries(isObject(current) ? current : {});
  const changed = Object.entries(patch)
    .filter(([, value]) => value !== null)
    .map(([field, value]): [string, unknown] => [
      field,
      merged(isObject(current) && Object.hasOwn(current, field) ? current[field] : undefined, value),
    ]);
  return Object.fromEntries([...kept.filter(([field]) => !Object.hasOwn(patch, field)), ...changed]);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const readOnlyProblem = (field: string): FieldProblem => ({
  pointer: `/${field}`,
  code: 'field_read_only',
  detail: 'Cannot be changed.',
});
