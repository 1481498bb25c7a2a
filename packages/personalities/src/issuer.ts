import type { Personality } from './personality.ts';

/** Returns the default issuer of a personality at an origin. */
export const issuerOf = (personality: Personality, origin: string): string =>
  `${origin}${personality.issuer.defaultPath}`;

/** Returns the path of an issuer, unchanged: `https://a.example` has none, and `https://a.example/` has `/`. */
export const issuerPathOf = (issuer: string): string => issuer.slice(new URL(issuer).origin.length);

/** @returns what is wrong with an issuer, as a text; undefined if it is valid */
export function issuerFault(personality: Personality, issuer: string): string | undefined {
  const { title, issuer: rule } = personality;
  if (rule.paths.test(issuerPathOf(issuer))) return undefined;
  return `${title}'s issuers have ${rule.form}, such as ${issuerOf(personality, new URL(issuer).origin)}`;
}
