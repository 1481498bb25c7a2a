import { type FieldProblem, Problem } from '@legate/service';
import { isDeeperThan } from './json-depth.ts';

/** Tool servers and their JSON libraries fall over input that is nested much deeper than any real argument. */
const MAX_DEPTH = 64;
const MAX_NAME_LENGTH = 128;

/**
 * Reads `{"arguments": {…}}`; no body at all stands for no arguments.
 * @throws {Problem} 400
 */
export function parseToolCall(body: unknown): Readonly<Record<string, unknown>> {
  if (body === undefined) return {};
  if (!isRecord(body)) throw invalid({ pointer: '', code: 'invalid_type', detail: 'must be an object' });
  for (const member of Object.keys(body)) {
    if (member !== 'arguments')
      throw invalid({
        pointer: `/${escapePointer(member)}`,
        code: 'unknown',
        detail: 'is not a known member',
      });
  }
  const args = body.arguments ?? {};
  if (!isRecord(args))
    throw invalid({ pointer: '/arguments', code: 'invalid_type', detail: 'must be an object' });
  if (isDeeperThan(args, MAX_DEPTH))
    throw invalid({
      pointer: '/arguments',
      code: 'too_deep',
      detail: `is nested more than ${MAX_DEPTH} deep`,
    });
  return args;
}

/** @throws {Problem} 400 for a name that no tool can have */
export function parseToolName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (name.length <= MAX_NAME_LENGTH && !/[\x00-\x1F\x7F]/.test(name)) return name;
  throw invalid({
    parameter: 'name',
    code: 'invalid',
    detail: `is longer than ${MAX_NAME_LENGTH}, or not printable`,
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 6901 §3 */
const escapePointer = (member: string): string =>
  member.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');

const invalid = (fault: FieldProblem): Problem =>
  new Problem(400, 'validation_failed', 'Request validation failed', { errors: [fault] });
