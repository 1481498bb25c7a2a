import { optional } from '@legate/jwt';
import { z } from 'zod';

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
 * @returns the same response, whose `json()`, by which the library reads it, resolves to the rest: another response
 * would be read and written once more. A clone of it would not be cleared
 */
export function readTokenAnswer(answer: Response, options: { readonly usesIdTokens: boolean }): Response {
  if (answer.status !== 200) return answer;
  const read = answer.json.bind(answer);
  return Object.assign(answer, { json: async () => cleared(await read(), options) });
}

function cleared(body: unknown, { usesIdTokens }: { readonly usesIdTokens: boolean }): unknown {
  const parsed = TokenAnswer.safeParse(body);
  if (!parsed.success) return body;
  const { id_token: idToken, ...rest } = parsed.data;
  const kept = { ...rest, ...(usesIdTokens && { id_token: idToken }) };
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== null && value !== ''));
}
