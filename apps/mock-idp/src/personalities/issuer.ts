import { examplePathOf, issuerPathOf, type Personality } from './personality.ts';

/** Returns the default issuer of a personality at an origin. */
export const issuerOf = ({ kind }: Personality, origin: string): string => `${origin}${examplePathOf(kind)}`;

/** @returns what is wrong with an issuer, as a text; undefined if it is valid */
export function issuerFault(personality: Personality, issuer: string): string | undefined {
  const { kind, issuer: rule } = personality;
  if (rule.paths.test(issuerPathOf(issuer))) return undefined;
  return `${kind.title}'s issuers have ${rule.form}, such as ${issuerOf(personality, new URL(issuer).origin)}`;
}
