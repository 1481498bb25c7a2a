import { isSameResource } from '@legate/oauth';

/** RFC 6750 §2.1: what fits into a header, and nothing that could end it. */
const B64TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;
const MAX_TOKEN_LENGTH = 16_384;

export const isBearerToken = (token: string): boolean =>
  B64TOKEN.test(token) && token.length <= MAX_TOKEN_LENGTH;

/** @returns scopes of a wire string; undefined where there is none */
export const scopesOf = (scope: string | undefined): string[] | undefined =>
  scope === undefined ? undefined : scope.split(' ').filter((token) => token !== '');

/** True when nothing was granted that is not in `asked`; whatever was granted is within no wish at all. */
export const within = (granted: readonly string[] | undefined, asked: readonly string[]): boolean =>
  granted === undefined || asked.length === 0 || granted.every((scope) => asked.includes(scope));

export function withinResource(given: string | string[] | undefined, resource: string): boolean {
  if (given === undefined) return true;
  const values = [given].flat();
  return (
    values.length > 0 && values.every((value) => isSameResource({ presented: value, configured: resource }))
  );
}
