import { AUTH_METHODS, type AuthMethod } from '@legate/delegation/methods';

type MethodFacts = (typeof AUTH_METHODS)[number];
type Is = (facts: MethodFacts) => boolean;

// Every name is there: `AuthMethod` is made of the same list.
const BY_NAME = Object.fromEntries(AUTH_METHODS.map((facts) => [facts.name, facts])) as Readonly<
  Record<AuthMethod, MethodFacts>
>;

/** What an authentication method asks of a connector's settings */
export const methodFacts = (method: AuthMethod): MethodFacts => BY_NAME[method];

/** Returns the names of the methods that are so. */
export const namesOf = (is: Is): AuthMethod[] => AUTH_METHODS.filter(is).map(({ name }) => name);

/** A method whose key is that of a service, sent to the tool server itself for all users alike */
export const isService: Is = ({ actsAs }) => actsAs === 'service';

/** A method that bypasses audience scoping, which an administrator has to acknowledge */
export const isLegacy: Is = (facts) => facts.isLegacy;
