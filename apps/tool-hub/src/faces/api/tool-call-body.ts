import { isDeeperThan } from '@legate/mcp-client';
import { toPointer, validationFailed } from '@legate/service';

/** Tool servers and their JSON libraries fall over input that is nested much deeper than any real argument. */
const MAX_DEPTH = 64;
const MAX_NAME_LENGTH = 128;

/**
 * Parses `{"arguments": {…}}`; no body means no arguments.
 * @throws {Problem} 400
 */
export function parseToolCall(body: unknown): Readonly<Record<string, unknown>> {
  if (body === undefined) return {};
  if (!isRecord(body))
    throw validationFailed([{ pointer: '', code: 'invalid_type', detail: 'Must be an object.' }]);
  for (const member of Object.keys(body)) {
    if (member !== 'arguments')
      throw validationFailed([
        {
          pointer: toPointer([member.slice(0, MAX_NAME_LENGTH)]),
          code: 'unknown_field',
          detail: 'Not known here.',
        },
      ]);
  }
  const args = body.arguments ?? {};
  if (!isRecord(args))
    throw validationFailed([{ pointer: '/arguments', code: 'invalid_type', detail: 'Must be an object.' }]);
  if (isDeeperThan(args, MAX_DEPTH))
    throw validationFailed([
      { pointer: '/arguments', code: 'too_deep', detail: `Must be nested at most ${MAX_DEPTH} deep.` },
    ]);
  return args;
}

/** @throws {Problem} 400 for a name that no tool can have */
export function parseToolName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (name.length <= MAX_NAME_LENGTH && !/[\x00-\x1F\x7F]/.test(name)) return name;
  throw validationFailed([
    {
      parameter: 'name',
      code: 'invalid_format',
      detail: `Must have at most ${MAX_NAME_LENGTH} characters, all of them printable.`,
    },
  ]);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
