import type { MethodConfiguration, NamedSettings } from '../../domain/method-settings.ts';
import { tokenExchange } from './facts.ts';

/** The hub's client at the identity provider is used, so the settings contain none. */
export interface TokenExchangeSettings extends NamedSettings {
  readonly method: typeof tokenExchange.name;
  /** The provider's name of the tool server: `audience` of the request, or the prefix of its scopes */
  readonly audience: string;
  /** What `aud` of the new token must contain */
  readonly tokenAudience: string;
  /** The identity provider's, for a tool server whose metadata does not list it */
  readonly issuer: string | undefined;
}

export const tokenExchangeConfiguration: MethodConfiguration<TokenExchangeSettings> = {
  read: (fields) => ({ method: tokenExchange.name, ...fields.exchange(), issuer: fields.issuer }),
  clientOf: ({ audience, tokenAudience, issuer }) => [tokenExchange.name, audience, tokenAudience, issuer],
};
