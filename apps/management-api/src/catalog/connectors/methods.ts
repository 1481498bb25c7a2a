import { AUTH_METHODS, type AuthMethod, type MethodFacts } from '@legate/delegation/methods';

type Is = (facts: MethodFacts) => boolean;

/** Returns the names of the methods that are so. */
export const namesOf = (is: Is): AuthMethod[] => AUTH_METHODS.filter(is).map(({ name }) => name);

/** A method whose key is that of a service, sent to the tool server itself for all users alike */
export const isService: Is = ({ actsAs }) => actsAs === 'service';

/** A method that bypasses audience scoping, which an administrator has to acknowledge */
export const isLegacy: Is = (facts) => facts.isLegacy;
