import { ASSERTION_AUDIENCES, clientKeysSetting } from '@legate/client-authentication';
import { organizationClaimName } from '@legate/jwt';
import { identifierUrl, issuerUrl } from '@legate/service';
import { z } from 'zod';

/** The identity provider, at which the console signs users in */
export const signInEnvironment = {
  IDP_ISSUER: issuerUrl.meta({
    description: 'Issuer of the identity provider. Compared with `iss` as a string.',
    when: 'Everyone.',
    example: 'https://idp.example',
  }),
  IDP_CLIENT_ID: z.string().min(1).meta({
    description:
      'Client id of the console there: one whose ID tokens the hub accepts. With most identity providers it is the hub’s own client, with `PUBLIC_URL/bff/callback` as a further redirect URI.',
    when: 'Everyone.',
    example: 'tool-hub',
  }),
  IDP_CLIENT_SECRET: z.string().min(1).optional().meta({
    description: 'Secret of that client. Required without `IDP_CLIENT_KEYS`, and not allowed with it.',
    when: 'Everyone whose client has no key.',
    secret: true,
  }),
  IDP_CLIENT_KEYS: clientKeysSetting.optional().meta({
    description: 'Private JWKS of that client, for `private_key_jwt` in the place of a secret.',
    when: 'Operators whose hub has `IDP_CLIENT_KEYS`: the same value.',
    secret: true,
  }),
  IDP_CLIENT_ASSERTION_AUDIENCE: z.enum(ASSERTION_AUDIENCES).default('issuer').meta({
    description: 'The `aud` of assertions that `IDP_CLIENT_KEYS` sign.',
    when: 'Operators whose identity provider wants the address of its token endpoint there.',
    secret: false,
  }),
  AUTHORIZATION_PARAMETERS: z
    .string()
    .refine((text) => [...new URLSearchParams(text).keys()].every((name) => !OURS.has(name)), {
      error: 'must be a query without the parameters that the console sends itself',
    })
    .optional()
    .meta({
      description:
        'Further parameters of the authorization request, as a query: what the identity provider wants besides `scope` and `resource`.',
      when: 'Operators whose identity provider names the API by another parameter, such as Auth0 by `audience`.',
      example: 'audience=https://api.example',
      secret: false,
    }),
  ORGANIZATION_CLAIM: organizationClaimName.default('organization_id').meta({
    description: 'Claim of ID tokens that names the organization. The same as at the hub.',
    when: 'Operators whose identity provider names the organization in another claim.',
    example: 'org_id',
  }),
};

/** What no setting may replace */
const OURS = new Set([
  ...['client_id', 'response_type', 'redirect_uri', 'scope', 'resource', 'state', 'nonce', 'prompt'],
  ...['code_challenge', 'code_challenge_method', 'request', 'request_uri', 'response_mode'],
]);

const MAX_SESSION_SECONDS = 30 * 86_400;

export const sessionEnvironment = {
  SESSION_IDLE_SECONDS: z.coerce.number().int().min(60).max(MAX_SESSION_SECONDS).default(3600).meta({
    description: 'Time after which an unused session ends.',
    when: 'Operators whose rules bound how long an unused sign-in lasts.',
  }),
  SESSION_LIFETIME_SECONDS: z.coerce.number().int().min(60).max(MAX_SESSION_SECONDS).default(43_200).meta({
    description: 'Time after which a session ends, however often it is used.',
    when: 'Operators whose rules bound how long a sign-in lasts.',
  }),
};

/** The services that the console asks as the signed-in user */
export const upstreamEnvironment = {
  MANAGEMENT_API_URL: identifierUrl.meta({
    description: 'The management API.',
    when: 'Everyone.',
    example: 'https://api.example',
  }),
  MANAGEMENT_API_RESOURCE: identifierUrl.optional().meta({
    description:
      'Resource identifier of the management API, for which access tokens are asked. Unset: `MANAGEMENT_API_URL`.',
    when: 'Operators whose console reaches the API at another address than the one that identifies it.',
    example: 'https://api.example',
  }),
  TOOL_HUB_URL: identifierUrl.meta({
    description: 'The hub.',
    when: 'Everyone.',
    example: 'https://hub.example',
  }),
};
