import { findKind, KIND_NAMES, type KindName, type ProviderKind } from '@legate/identity-providers';

/** An identity provider that mock-idp can imitate: most kinds, and the draft to the letter */
export type ImitatedName = KindName | 'strict';

export const IMITATED: readonly ImitatedName[] = [
  ...KIND_NAMES.filter((name) => findKind(name).exampleIssuer !== undefined),
  'strict',
];

/** @throws {Error} that names the known ones */
export function parseImitated(name: string | undefined): ImitatedName | undefined {
  if (!name) return undefined;
  const known = IMITATED.find((each) => each === name);
  if (!known) throw new Error(`--idp must be one of ${IMITATED.join(', ')}`);
  return known;
}

/** `IDP_KIND` of the services with an imitated provider */
export const kindNameOf = (name: ImitatedName): KindName => (name === 'strict' ? 'generic' : name);

export const kindOf = (name: ImitatedName): ProviderKind => findKind(kindNameOf(name));

/** Returns the issuer of an imitated provider at an origin: its path has the form of the kind. */
export function imitatedIssuer(name: ImitatedName, origin: string): string {
  const { exampleIssuer } = kindOf(name);
  return exampleIssuer === undefined
    ? origin
    : origin + exampleIssuer.slice(new URL(exampleIssuer).origin.length);
}
