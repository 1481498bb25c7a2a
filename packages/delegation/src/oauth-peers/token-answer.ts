import { optional } from '@legate/jwt';
import { z } from 'zod';
import { parseObject } from './json-object.ts';

/** Optional members of a token response, and purely informative ones (RFC 6749 §5.1, RFC 8693 §2.2.1) */
const TokenAnswer = z.looseObject({
  refresh_token: optional.text,
  id_token: optional.text,
  expires_in: optional.number,
});

/**
 * Removes from a token response the members that its server could have omitted: null and empty members, a lifetime that
 * is not a number, and an ID token that was not requested. The library would refuse the response because of any of
 * them, although the refresh token has been used. Essential members are kept if they have a value: the token, its type,
 * scope and resource.
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
