import { OAuthError } from '@legate/oauth';
import { z } from 'zod';

/** Characters of `request_details` and `request_context`: parameters of one call, not documents. */
const MAX_LENGTH = 4096;
const Member = z.union([z.string().max(255), z.number(), z.boolean()]);
/** The beginning of a JWT; a JWT must not be embedded in a transaction token. */
const TOKEN = /eyJ[\w-]+\.[\w-]+/;

export type Members = Readonly<Record<string, z.output<typeof Member>>>;

/**
 * Picks the permitted members of a JSON object; others are dropped.
 * @param parameter its name, for the log
 * @throws {OAuthError} `invalid_request` if it is not a JSON object, is too long, or a permitted member is not a short
 * single value
 */
export function readMembers(
  parameter: string,
  text: string | undefined,
  allowed: readonly string[],
): Members {
  if (text === undefined) return {};
  const refuse = (reason: string) => new OAuthError('invalid_request', `${parameter}: ${reason}`);
  if (text.length > MAX_LENGTH) throw refuse('too long');
  const given = parseObject(text);
  if (!given) throw refuse('not a JSON object');

  const present = allowed.filter((name) => Object.hasOwn(given, name));
  return Object.fromEntries(
    present.map((name) => {
      const member = Member.safeParse(given[name]);
      if (!member.success) throw refuse(`${name} is not a short single value`);
      if (TOKEN.test(String(member.data))) throw refuse(`${name} looks like a token`);
      return [name, member.data];
    }),
  );
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // falls through: the caller refuses it
  }
  return undefined;
}
