import { isSameResource, shownValue } from '@legate/oauth';

/** RFC 6750 §2.1: what fits into a header, and nothing that could end it. */
const B64TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;
const MAX_TOKEN_LENGTH = 16_384;

export const isBearerToken = (token: string): boolean =>
  B64TOKEN.test(token) && token.length <= MAX_TOKEN_LENGTH;

/**
 * @param asked what was asked for: some large providers put commas between scopes, which are taken apart only where the text
 * is nothing that was asked for, and its parts are
 * @returns scopes of a wire string; undefined where there is none
 */
export function scopesOf(scope: string | undefined, asked: readonly string[]): string[] | undefined {
  if (scope === undefined) return undefined;
  const separatedBy = (separator: RegExp) => scope.split(separator).filter((token) => token !== '');
  const scopes = separatedBy(/ /);
  if (within(scopes, asked)) return scopes;
  const parts = separatedBy(/[ ,]/);
  return within(parts, asked) ? parts : scopes;
}

/** True when nothing was granted that is not in `asked`; whatever was granted is within no wish at all. */
export const within = (granted: readonly string[] | undefined, asked: readonly string[]): boolean =>
  granted === undefined || asked.length === 0 || granted.every((scope) => asked.includes(scope));

const MAX_BEYOND = 3;

/** Names the scopes that were granted and not asked for. */
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
