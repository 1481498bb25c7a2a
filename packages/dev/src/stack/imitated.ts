import { findKind, KIND_NAMES, type KindName, type ProviderKind } from '@legate/identity-providers';
import { USERS } from '../scene/scene.ts';

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
export const imitatedIssuer = (name: ImitatedName, origin: string): string => origin + issuerPathOf(name);

function issuerPathOf(name: ImitatedName): string {
  const { exampleIssuer } = kindOf(name);
  return exampleIssuer === undefined ? '' : exampleIssuer.slice(new URL(exampleIssuer).origin.length);
}

/**
 * Returns `ORGANIZATION_RULE` of the services with an imitated provider whose tokens do not name the organization;
 * undefined: they do. Everybody belongs to Alice's organization, and so does the tenant of the issuer.
 */
export function imitatedOrganizationRule(name: ImitatedName): object | undefined {
  const { organizationClaim: claim } = kindOf(name);
  const { organization } = USERS.alice;
  if (claim === undefined) return { fixed: organization };
  const [, tenant = ''] = issuerPathOf(name).split('/');
  return name === 'entra' ? { claim, map: { [tenant]: organization } } : undefined;
}
