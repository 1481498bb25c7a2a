import type { DeclaredBody } from '@legate/operations';
import { parseBody } from '@legate/service';
import type { RequestHandler } from 'express';
import type { z } from 'zod';
import { jsonBody } from './json-body.ts';
import { mergePatchBody, parsePatch } from './merge-patch.ts';

/** The body of an operation, documented and checked by the same schema. */
export interface RequestBody<Parsed> extends DeclaredBody {
  /** Mounted after the check of the caller's permissions, so that no body is read in vain. */
  readonly read: () => RequestHandler[];
  /** @throws {Problem} 400 `validation_failed` */
  readonly parse: (body: unknown) => Parsed;
}

export function json<Schema extends z.ZodType>(schema: Schema): RequestBody<z.output<Schema>> {
  return {
    mediaTypes: ['application/json'],
    schema,
    required: true,
    read: () => jsonBody(),
    parse: (body) => parseBody(schema, body),
  };
}

/** JSON that may be left out, which is equivalent to `{}`. */
export function optionalJson<Schema extends z.ZodObject>(schema: Schema): RequestBody<z.output<Schema>> {
  return { ...json(schema), required: false, parse: (body) => parseBody(schema, body ?? {}) };
}

/**
 * Returns the fields to change, given the resource as read in the transaction. @throws {Problem} 400
 * `validation_failed`
 */
export type Patch<Fields> = (current: object) => Fields;

/** A merge patch (RFC 7396). @param schema strict, with only optional fields */
export function mergePatch<Schema extends z.ZodObject>(schema: Schema): RequestBody<Patch<z.output<Schema>>> {
  return {
    mediaTypes: ['application/merge-patch+json', 'application/json'],
    schema,
    required: true,
    read: mergePatchBody,
    parse: (body) => (current) => parsePatch(schema, body, current),
  };
}
