import type { Connector } from '../domain/connector.ts';
import type { ConnectorFields, MethodConfiguration } from '../domain/method-settings.ts';
import type { AuthMethod } from './facts.ts';
import { idJagConfiguration } from './id-jag/settings.ts';
import { oauthPkceConfiguration } from './oauth-pkce/settings.ts';
import { passthroughConfiguration } from './passthrough/settings.ts';
import { serviceConfiguration } from './service/settings.ts';
import { tokenExchangeConfiguration } from './token-exchange/settings.ts';

const CONFIGURATIONS = {
  'id-jag': idJagConfiguration,
  'token-exchange': tokenExchangeConfiguration,
  'oauth-pkce': oauthPkceConfiguration,
  passthrough: passthroughConfiguration,
  service: serviceConfiguration,
};

type SettingsOf<Configuration> = Configuration extends MethodConfiguration<infer Settings> ? Settings : never;

/** A connector's settings for one of the methods. A method cannot be configured without its settings. */
export type MethodSettings<Name extends AuthMethod = AuthMethod> = {
  [Each in Name]: { readonly method: Each } & SettingsOf<(typeof CONFIGURATIONS)[Each]>;
}[Name];

/** A connector with one of these methods */
export type ServedConnector = Connector<MethodSettings>;

const configurations: { readonly [Name in AuthMethod]: MethodConfiguration<MethodSettings<Name>> } =
  CONFIGURATIONS;

/**
 * Reads a connector's settings for a method.
 * @throws the errors of the fields
 */
export const readSettings = <Name extends AuthMethod>(
  method: Name,
  fields: ConnectorFields,
): MethodSettings<Name> => configurations[method].read(fields);

/** Returns the part of the keys of cached tokens that represents the client. */
export const clientOf = <Name extends AuthMethod>(settings: MethodSettings<Name>): readonly unknown[] =>
  configurations[settings.method].clientOf(settings);
