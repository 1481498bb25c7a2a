import { AUTH_METHODS, type AuthMethod, type MethodFacts, methodFacts } from '@legate/delegation/methods';

type Is = (facts: MethodFacts) => boolean;

/** Returns the names of the methods for which the condition is true. */
export const namesOf = (is: Is): AuthMethod[] => AUTH_METHODS.filter(is).map(({ name }) => name);

/** A method that sends the key of a service to the tool server, the same for all users */
export const isService: Is = ({ actsAs }) => actsAs === 'service';

/** A method by which an access token of the user is exchanged */
export const isExchange: Is = ({ exchangesAccessTokens }) => exchangesAccessTokens;

/** A method that bypasses audience scoping, which an administrator has to acknowledge */
export const isLegacy: Is = (facts) => facts.isLegacy;

/** The facts of the method and its fallbacks */
export const methodsUsed = (settings: {
  readonly auth_method: AuthMethod;
  readonly fallback: readonly AuthMethod[];
}): MethodFacts[] => [settings.auth_method, ...settings.fallback].map(methodFacts);

export const and = (names: readonly string[]): string => new Intl.ListFormat('en').format(names);

/** Explains that a field is not for every method. */
export const only = (names: readonly string[]): string =>
  `Allowed only for the method${names.length === 1 ? '' : 's'} ${and(names)}.`;
