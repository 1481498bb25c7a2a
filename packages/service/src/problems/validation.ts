import { z } from 'zod';
import { ownWords } from './own-words.ts';
import { type FieldProblem, type Problem, problemsOf } from './problem.ts';
import type { ProblemDeclarations } from './problem-codes.ts';

/** The problems that a service lists if it validates input. */
export const VALIDATION_PROBLEMS = {
  validation_failed: {
    status: 400,
    title: 'Request validation failed',
    meaning:
      'The request can be read, but something in it is not valid. errors lists each fault with its place.',
    remedy: 'Fix the fields listed in errors. The same request will be refused again.',
  },
} as const satisfies ProblemDeclarations;

/**
 * The codes of field problems in all services: stable, while their texts may change. A rule for a single field has its
 * own code there, such as `origin_has_path`.
 */
export const FIELD_CODES = [
  'required',
  'invalid_type',
  'invalid_format',
  'invalid_enum',
  'too_short',
  'too_long',
  'too_many_items',
  'too_deep',
  'out_of_range',
  'unknown_field',
  'field_read_only',
] as const;
export type FieldCode = (typeof FIELD_CODES)[number];

type Place = (path: readonly PropertyKey[]) => Pick<FieldProblem, 'pointer' | 'parameter'>;

/** The query of a route that has no query parameters. */
export const NoQuery = z.strictObject({});

const problem = problemsOf(VALIDATION_PROBLEMS);
const inBody: Place = (path) => ({ pointer: toPointer(path) });
const inQuery: Place = (path) => ({ parameter: path.map(String).join('.') });

/** Messages name members and allowed values, and never quote a value that was sent. */
export function validationFailed(errors: readonly FieldProblem[]): Problem {
  const detail = errors.length === 1 ? '1 field is invalid.' : `${errors.length} fields are invalid.`;
  return problem('validation_failed', { detail, errors });
}

/** @throws {Problem} 400 `validation_failed`, with a pointer to each field at fault */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  return parse(schema, body, inBody, validationFailed);
}

/**
 * @param query from Express's simple parser: a repeated parameter is an array, and therefore rejected
 * @param refuse for a service with its own code for some faults
 * @throws {Problem} 400 `validation_failed`, with each parameter at fault
 */
export function parseQuery<Schema extends z.ZodType>(
  schema: Schema,
  query: unknown,
  refuse: (errors: readonly FieldProblem[]) => Problem = validationFailed,
): z.output<Schema> {
  return parse(schema, query, inQuery, refuse);
}

function parse<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  place: Place,
  refuse: (errors: readonly FieldProblem[]) => Problem,
): z.output<Schema> {
  const parsed = schema.safeParse(input, { error: ownWords });
  if (parsed.success) return parsed.data;
  throw refuse(fieldProblemsOf(parsed.error, input, place));
}

/** Returns the faults of a body, an empty list if it is valid. */
export function bodyProblems(schema: z.ZodType, body: unknown): FieldProblem[] {
  const parsed = schema.safeParse(body, { error: ownWords });
  return parsed.success ? [] : fieldProblemsOf(parsed.error, body, inBody);
}

const fieldProblemsOf = (error: z.core.$ZodError, input: unknown, place: Place): FieldProblem[] =>
  error.issues.flatMap((issue) => toFieldProblems(issue, input, place));

function toFieldProblems(issue: z.core.$ZodIssue, input: unknown, place: Place): FieldProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      ...place([...issue.path, key]),
      code: 'unknown_field',
      detail: 'Unknown field.',
    }));
  }
  return [{ ...place(issue.path), code: codeOf(issue, input), detail: issue.message }];
}

/** A schema can set its own code in the `params` of a custom issue. */
function codeOf(issue: z.core.$ZodIssue, input: unknown): FieldCode | (string & {}) {
  switch (issue.code) {
    case 'invalid_type':
      return valueAt(input, issue.path) === undefined ? 'required' : 'invalid_type';
    case 'too_small':
      return issue.origin === 'string' ? 'too_short' : 'out_of_range';
    case 'too_big':
      if (issue.origin === 'string') return 'too_long';
      return issue.origin === 'array' ? 'too_many_items' : 'out_of_range';
    case 'invalid_value':
      return 'invalid_enum';
    case 'custom':
      return typeof issue.params?.code === 'string' ? issue.params.code : 'invalid_format';
    default:
      return 'invalid_format';
  }
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    input,
  );
}

/** Writes a JSON Pointer (RFC 6901). */
export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
