import { AUTH_METHODS, type AuthMethod } from '@legate/delegation/methods';
import { t } from '../../text/en.ts';

type MethodFacts = (typeof AUTH_METHODS)[number];

// Every name is there: `AuthMethod` is made of the same list.
const BY_NAME = Object.fromEntries(AUTH_METHODS.map((facts) => [facts.name, facts])) as Readonly<
  Record<AuthMethod, MethodFacts>
>;

/** What an authentication method asks of a connector's settings */
export const methodFacts = (method: AuthMethod): MethodFacts => BY_NAME[method];

/** A method whose key is that of a service: it has settings of its own, which no form has. */
export const isService = (facts: MethodFacts): boolean => facts.actsAs === 'service';

/** Returns what a `Select` offers: the methods that are so. */
export const methodOptions = (is: (facts: MethodFacts) => boolean = () => true) =>
  AUTH_METHODS.filter(is).map(({ name: value }) => ({ value, label: t.connectors.methods[value] }));
