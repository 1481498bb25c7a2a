import type { ActsAs, AuthMethodFacts } from '../domain/method-facts.ts';
import { idJag } from './id-jag/facts.ts';
import { oauthPkce } from './oauth-pkce/facts.ts';
import { passthrough } from './passthrough/facts.ts';
import { service } from './service/facts.ts';

/** Every authentication method that there is (product spec §5), the preferred one first. */
export const AUTH_METHODS = [idJag, oauthPkce, passthrough, service] as const;

export type AuthMethod = (typeof AUTH_METHODS)[number]['name'];

const BY_NAME: ReadonlyMap<string, AuthMethodFacts> = new Map(
  AUTH_METHODS.map((facts) => [facts.name, facts]),
);

/** @throws {Error} if there is no such method */
export function factsOf(name: string): AuthMethodFacts {
  const facts = BY_NAME.get(name);
  if (!facts) throw new Error(`there is no authentication method ${name}`);
  return facts;
}

/** Results obtained as a service must not be shown as the user's. */
export const actsAs = ({ method }: { readonly method: string }): ActsAs => factsOf(method).actsAs;

/** Returns true for a method whose tokens are kept between calls: another one can be asked for. */
export const isRenewable = (method: string): boolean => BY_NAME.get(method)?.issuesTokens === true;
