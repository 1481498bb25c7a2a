import { z } from 'zod';

/** An `aud` may be any text (RFC 7519 §4.1.3). */
export const Audience = z
  .string()
  .min(1)
  .max(2048)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u);

/** The fields of `token-exchange`, as a connector has them */
export const SHOWN_EXCHANGE = {
  exchange_audience: z
    .string()
    .nullable()
    .describe(
      'For `token-exchange`: the name of the tool server at the identity provider, such as the identifier of an API or a ' +
        'client id. No other connector at another origin may have it',
    ),
  token_audience: z
    .string()
    .nullable()
    .describe('For `token-exchange`: what `aud` of the new token contains. `null`: `exchange_audience`'),
  acknowledge_shared_audience: z
    .boolean()
    .describe(
      'For `token-exchange`: confirms that you know that other servers may accept the same token. Needed unless ' +
        '`token_audience` is `resource_url`. `false` without this method',
    ),
};

/** One name: with a space, it would be several in a request whose scopes contain it. */
const ExchangeAudience = Audience.regex(/^\S*$/);

/** The fields of `token-exchange`, as a request may set them */
export const ACCEPTED_EXCHANGE = {
  exchange_audience: ExchangeAudience.nullable(),
  token_audience: ExchangeAudience.nullable(),
  acknowledge_shared_audience: z.boolean(),
};
