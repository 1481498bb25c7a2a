import type { ActsAs } from '../domain/method-facts.ts';
import { idJag } from './id-jag/facts.ts';
import { oauthPkce } from './oauth-pkce/facts.ts';
import { passthrough } from './passthrough/facts.ts';
import { service } from './service/facts.ts';
import { tokenExchange } from './token-exchange/facts.ts';

/**
 * All authentication methods (product spec §5), the strongest first: `id-jag` gives tokens for one tool server and one
 * client, `token-exchange` tokens that others may accept; both are decided by the identity provider.
 */
export const AUTH_METHODS = [idJag, tokenExchange, oauthPkce, passthrough, service] as const;

export type MethodFacts = (typeof AUTH_METHODS)[number];
export type AuthMethod = MethodFacts['name'];

const BY_NAME: ReadonlyMap<string, MethodFacts> = new Map(AUTH_METHODS.map((facts) => [facts.name, facts]));

/** @throws {Error} if there is no such method */
export function methodFacts(name: string): MethodFacts {
  const facts = BY_NAME.get(name);
  if (!facts) throw new Error(`there is no authentication method ${name}`);
  return facts;
}

/** Results obtained as a service must not be shown as the user's. */
export const actsAs = ({ method }: { readonly method: string }): ActsAs => methodFacts(method).actsAs;

/** Returns true if a method gives up something that the other one had. */
export const isWeaker = (method: AuthMethod, than: AuthMethod): boolean =>
  STRENGTH.indexOf(method) > STRENGTH.indexOf(than);

const STRENGTH = AUTH_METHODS.map(({ name }) => name);

/** Returns true for a method whose tokens are stored between calls: another token can be requested. */
export const isRenewable = (method: string): boolean => BY_NAME.get(method)?.issuesTokens === true;
