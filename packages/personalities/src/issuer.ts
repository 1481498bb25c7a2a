import type { Personality } from './personality.ts';

/** The issuer of a personality at an origin, where nobody has chosen one. */
export const issuerOf = (personality: Personality, origin: string): string =>
  `${origin}${personality.issuer.defaultPath}`;

/** The path of an issuer as it is written: `https://a.example` has none, and `https://a.example/` has `/`. */
export const issuerPathOf = (issuer: string): string => issuer.slice(new URL(issuer).origin.length);

/** @returns what is wrong with an issuer, in words; undefined: nothing */
export function issuerFault(personality: Personality, issuer: string): string | undefined {
  const { title, issuer: rule } = personality;
  if (rule.paths.test(issuerPathOf(issuer))) return undefined;
  return `${title}'s issuers have ${rule.form}, such as ${issuerOf(personality, new URL(issuer).origin)}`;
}
