import { AUTH_METHODS, type AuthMethod, type MethodFacts, methodFacts } from '@legate/delegation/methods';
import { t } from '../../text/en.ts';

type FallbackMethod = Extract<MethodFacts, { isFallback: true }>['name'];

/** The connector's method and its fallbacks */
export interface UsedMethods {
  readonly auth_method: AuthMethod;
  readonly fallback: readonly AuthMethod[];
}

/** Returns the fallback without the method itself, which may just have been chosen. */
export const fallbackOf = ({ auth_method, fallback }: UsedMethods): FallbackMethod[] =>
  fallback.filter(
    (method): method is FallbackMethod => method !== auth_method && methodFacts(method).isFallback,
  );

/** Returns the facts of the method and its fallbacks. */
export const methodsUsed = ({ auth_method, fallback }: UsedMethods): MethodFacts[] =>
  [auth_method, ...fallback].map(methodFacts);

/** A method that uses the key of a service: it has settings that no form has. */
export const isService = (facts: MethodFacts): boolean => facts.actsAs === 'service';

/** A method by which an access token of the user is exchanged for one of the connector's audience */
export const isExchange = (facts: MethodFacts): boolean => facts.exchangesAccessTokens;

/** A method that an administrator has to acknowledge */
export const isLegacy = (facts: MethodFacts): boolean => facts.isLegacy;

/** Returns the items of a `Select`: the methods for which the condition is true, legacy ones under a heading. */
export const methodOptions = (is: (facts: MethodFacts) => boolean = () => true) =>
  AUTH_METHODS.filter(is).map((facts) => ({
    value: facts.name,
    label: t.connectors.methods[facts.name],
    ...(isLegacy(facts) && { group: t.connectors.legacyMethods }),
  }));
