import { optional } from '@legate/jwt';
import { z } from 'zod';
import { parseObject } from './json-object.ts';

/** What a token answer may leave out, and what only informs (RFC 6749 §5.1, RFC 8693 §2.2.1) */
const TokenAnswer = z.looseObject({
  refresh_token: optional.text,
  id_token: optional.text,
  expires_in: optional.number,
});

/**
 * Takes out of a token answer what its server might as well have left out: null and empty members, a life that is no number,
 * and an ID token where nobody asked for one. The library refuses an answer for any of them, and a refresh token is then
 * spent. What decides stays as it is where it says anything: the token, its type, scope and resource.
 */
export async function readTokenAnswer(
  answer: Response,
  { usesIdTokens }: { readonly usesIdTokens: boolean },
): Promise<Response> {
  if (answer.status !== 200) return answer;
  const { status, headers } = answer;
  const text = await answer.text();
  const members = parseObject(text);
  return new Response(members ? JSON.stringify(cleared(members, usesIdTokens)) : text, { status, headers });
}

function cleared(members: Readonly<Record<string, unknown>>, usesIdTokens: boolean): object {
  const { id_token: idToken, ...rest } = TokenAnswer.parse(members);
  const kept = { ...rest, ...(usesIdTokens && { id_token: idToken }) };
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== null && value !== ''));
}
