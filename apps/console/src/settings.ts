import { ASSERTION_AUDIENCES, clientKeysSetting } from '@legate/client-authentication';
import { KIND_NAMES, organizationSettings } from '@legate/identity-providers';
import { identifierUrl, issuerUrl, SHARED_SETTINGS } from '@legate/service';
import { z } from 'zod';

/** The identity provider, at which the console signs users in */
export const signInEnvironment = {
  IDP_ISSUER: issuerUrl.meta(SHARED_SETTINGS.IDP_ISSUER),
  IDP_KIND: z.enum(KIND_NAMES).default('generic').meta(SHARED_SETTINGS.IDP_KIND),
  IDP_CLIENT_ID: z.string().min(1).meta(SHARED_SETTINGS.IDP_CLIENT_ID),
  IDP_CLIENT_SECRET: z.string().min(1).optional().meta(SHARED_SETTINGS.IDP_CLIENT_SECRET),
  IDP_CLIENT_KEYS: clientKeysSetting.optional().meta(SHARED_SETTINGS.IDP_CLIENT_KEYS),
  IDP_CLIENT_ASSERTION_AUDIENCE: z
    .enum(ASSERTION_AUDIENCES)
    .optional()
    .meta(SHARED_SETTINGS.IDP_CLIENT_ASSERTION_AUDIENCE),
  AUTHORIZATION_PARAMETERS: z
    .string()
    .refine((text) => [...new URLSearchParams(text).keys()].every((name) => !OURS.has(name)), {
      error: 'must be a query without the parameters that the console sends itself',
    })
    .optional()
    .meta({
      description:
        'Additional parameters of the authorization request, as a query, which the identity provider needs besides `scope` and `resource`.',
      when: 'Operators whose identity provider names the API by another parameter, such as Auth0 by `audience`.',
      example: 'audience=https://api.example',
      secret: false,
    }),
  ORGANIZATION_CLAIM: organizationSettings.ORGANIZATION_CLAIM.optional().meta(
    SHARED_SETTINGS.ORGANIZATION_CLAIM,
  ),
  ORGANIZATION_RULE: organizationSettings.ORGANIZATION_RULE.optional().meta(
    SHARED_SETTINGS.ORGANIZATION_RULE,
  ),
};

/** Parameters that no setting may replace */
const OURS = new Set([
  ...['client_id', 'response_type', 'redirect_uri', 'scope', 'resource', 'state', 'nonce', 'prompt'],
  ...['code_challenge', 'code_challenge_method', 'request', 'request_uri', 'response_mode'],
]);

/** The services that the console calls as the signed-in user */
export const upstreamEnvironment = {
  MANAGEMENT_API_URL: identifierUrl.meta(SHARED_SETTINGS.MANAGEMENT_API_URL),
  MANAGEMENT_API_RESOURCE: identifierUrl.optional().meta(SHARED_SETTINGS.MANAGEMENT_API_RESOURCE),
  TOOL_HUB_URL: identifierUrl.meta(SHARED_SETTINGS.TOOL_HUB_URL),
};
