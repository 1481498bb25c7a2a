import { type FieldProblem, Problem } from '@legate/service';
import { z } from 'zod';
import { ownWords } from './own-words.ts';

type Place = (path: readonly PropertyKey[]) => Pick<FieldProblem, 'pointer' | 'parameter'>;

/** For a route that knows no query parameter. */
export const NoQuery = z.strictObject({});

const inBody: Place = (path) => ({ pointer: toPointer(path) });
const inQuery: Place = (path) => ({ parameter: path.map(String).join('.') });

/** @throws {Problem} 400 `validation_failed`, with a pointer to each field at fault */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body, { error: ownWords });
  if (parsed.success) return parsed.data;
  throw validationFailed(problemsOf(parsed.error, body, inBody));
}

/** The faults of a body; none where it is valid. */
export function bodyProblems(schema: z.ZodType, body: unknown): FieldProblem[] {
  const parsed = schema.safeParse(body, { error: ownWords });
  return parsed.success ? [] : problemsOf(parsed.error, body, inBody);
}

/**
 * @param query from Express's simple parser: a repeated parameter is an array, and so refused as no string
 * @throws {Problem} 400 `validation_failed`, or `unknown_parameter` where that is all that is wrong
 */
export function parseQuery<Schema extends z.ZodType>(schema: Schema, query: unknown): z.output<Schema> {
  const parsed = schema.safeParse(query, { error: ownWords });
  if (parsed.success) return parsed.data;
  const errors = problemsOf(parsed.error, query, inQuery);
  const allUnknown = errors.every((error) => error.code === 'unknown_field');
  throw validationFailed(errors, allUnknown ? 'unknown_parameter' : 'validation_failed');
}

export function validationFailed(
  errors: readonly FieldProblem[],
  code: 'validation_failed' | 'unknown_parameter' = 'validation_failed',
): Problem {
  return new Problem(400, code, 'Request validation failed', {
    detail: errors.length === 1 ? '1 field is invalid.' : `${errors.length} fields are invalid.`,
    errors,
  });
}

const problemsOf = (error: z.core.$ZodError, input: unknown, place: Place): FieldProblem[] =>
  error.issues.flatMap((issue) => toFieldProblems(issue, input, place));

function toFieldProblems(issue: z.core.$ZodIssue, input: unknown, place: Place): FieldProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      ...place([...issue.path, key]),
      code: 'unknown_field',
      detail: 'Not known here.',
    }));
  }
  return [{ ...place(issue.path), code: codeOf(issue, input), detail: issue.message }];
}

/** The stable code of a fault; texts are not part of the API. */
function codeOf(issue: z.core.$ZodIssue, input: unknown): string {
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

/** RFC 6901 */
function toPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
