import { type FieldProblem, type Problem, parseQuery as parse, validationFailed } from '@legate/service';
import type { z } from 'zod';
import { problem } from '../../domain/problem-codes.ts';

/** @throws {Problem} 400 `validation_failed`, or `unknown_parameter` if nothing else is wrong */
export const parseQuery = <Schema extends z.ZodType>(schema: Schema, query: unknown): z.output<Schema> =>
  parse(schema, query, refuse);

function refuse(errors: readonly FieldProblem[]): Problem {
  const failed = validationFailed(errors);
  const areUnknown = errors.every(({ code }) => code === 'unknown_field');
  return areUnknown ? problem('unknown_parameter', { detail: failed.detail ?? '', errors }) : failed;
}
