import { AUTH_METHODS, type AuthMethod, type MethodFacts } from '@legate/delegation/methods';

type Is = (facts: MethodFacts) => boolean;

/** Returns the names of the methods for which the condition is true. */
export const namesOf = (is: Is): AuthMethod[] => AUTH_METHODS.filter(is).map(({ name }) => name);

/** A method that sends the key of a service to the tool server, the same for all users */
export const isService: Is = ({ actsAs }) => actsAs === 'service';

/** A method that bypasses audience scoping, which an administrator has to acknowledge */
export const isLegacy: Is = (facts) => facts.isLegacy;
