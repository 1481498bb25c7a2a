import { isSameResource, shownValue } from '@legate/oauth';

/**
 * Characters of a token (RFC 6749 A.12). They cannot end a header. RFC 6750 §2.1 allows fewer in a header, but large
 * authorization servers issue others, such as colons.
 */
const VISIBLE = /^[\x21-\x7E]+$/;
const MAX_TOKEN_LENGTH = 16_384;

export const isBearerToken = (token: string): boolean =>
  VISIBLE.test(token) && token.length <= MAX_TOKEN_LENGTH;

/**
 * Parses a scope string. Some large providers put commas between scopes. The string is split at commas only if it does
 * not consist of requested scopes, but its parts do.
 * @param asked the requested scopes
 * @returns undefined if there is no scope string
 */
export function scopesOf(scope: string | undefined, asked: readonly string[]): string[] | undefined {
  if (scope === undefined) return undefined;
  const separatedBy = (separator: RegExp) => scope.split(separator).filter((token) => token !== '');
  const scopes = separatedBy(/ /);
  if (within(scopes, asked)) return scopes;
  const parts = separatedBy(/[ ,]/);
  return within(parts, asked) ? parts : scopes;
}

/** Returns true if only scopes in `asked` were granted. If `asked` is empty, any scope may be granted. */
export const within = (granted: readonly string[] | undefined, asked: readonly string[]): boolean =>
  granted === undefined || asked.length === 0 || granted.every((scope) => asked.includes(scope));

const MAX_BEYOND = 3;

/** Lists the scopes that were granted but not requested. */
export function beyond(granted: readonly string[] | undefined, asked: readonly string[]): string {
  const others = (granted ?? []).filter((scope) => !asked.includes(scope));
  const names = others.slice(0, MAX_BEYOND).map(shownValue).join(', ');
  return others.length > MAX_BEYOND ? `${names} and ${others.length - MAX_BEYOND} more` : names;
}

export function withinResource(given: string | string[] | undefined, resource: string): boolean {
  if (given === undefined) return true;
  const values = [given].flat();
  return (
    values.length > 0 && values.every((value) => isSameResource({ presented: value, configured: resource }))
  );
}
