import type { ConsentSettings } from '../../connections/consent-client.ts';
import type { Connector } from '../../domain/connector.ts';
import type { MethodConfiguration, NamedSettings } from '../../domain/method-settings.ts';
import { oauthPkce } from './facts.ts';

/** Users consent at an authorization server that need not trust our identity provider. */
export interface OAuthPkceSettings extends NamedSettings, ConsentSettings {
  readonly method: typeof oauthPkce.name;
}

/** Returns the settings for the consent of this connector's users; undefined if no consent is needed. */
export const consentSettingsOf = <Settings extends NamedSettings>({ methods }: Connector<Settings>) =>
  methods.find(
    (settings): settings is Extract<Settings, OAuthPkceSettings> => settings.method === oauthPkce.name,
  );

export const oauthPkceConfiguration: MethodConfiguration<OAuthPkceSettings> = {
  read: (fields) => ({ method: oauthPkce.name, ...fields.optionalClient(), issuer: fields.issuer }),
  clientOf: ({ clientId, issuer }) => [oauthPkce.name, clientId, issuer],
};
