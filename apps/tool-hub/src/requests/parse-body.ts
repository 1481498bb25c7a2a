import { type FieldProblem, Problem } from '@legate/service';
import type { z } from 'zod';

/**
 * Messages name members, and never quote one.
 * @throws {Problem} 400 `validation_failed`
 */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw validationFailed(parsed.error.issues.flatMap(faultsOf));
}

export const validationFailed = (errors: FieldProblem[]): Problem =>
  new Problem(400, 'validation_failed', 'Request validation failed', { errors });

function faultsOf(issue: z.core.$ZodIssue): FieldProblem[] {
  const pointer = issue.path.map((part) => `/${String(part)}`).join('');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      pointer: `${pointer}/${key}`,
      code: 'unknown',
      detail: 'is not known here',
    }));
  return [{ pointer, code: 'invalid', detail: issue.message }];
}
