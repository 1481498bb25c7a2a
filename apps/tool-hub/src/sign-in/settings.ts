import { ASSERTION_AUDIENCES, CLIENT_AUTH_METHODS, clientKeysSetting } from '@legate/client-authentication';
import { KIND_NAMES, organizationSettings, SUBJECT_TOKEN_TYPES } from '@legate/identity-providers';
import { ACCESS_TOKEN_MARKS } from '@legate/jwt';
import { commaSeparated, issuerUrl, SHARED_SETTINGS, sessionEnvironment } from '@legate/service';
import { z } from 'zod';
import { certificateSetting } from './certificate.ts';

/** Settings of the identity provider, whose ID tokens callers present, and of sessions, which replace these */
export const signInEnvironment = {
  IDP_ISSUER: issuerUrl.meta(SHARED_SETTINGS.IDP_ISSUER),
  IDP_KIND: z.enum(KIND_NAMES).default('generic').meta(SHARED_SETTINGS.IDP_KIND),
  IDP_CLIENT_ID: z.string().min(1).meta(SHARED_SETTINGS.IDP_CLIENT_ID),
  IDP_CLIENT_SECRET: z.string().min(1).optional().meta(SHARED_SETTINGS.IDP_CLIENT_SECRET),
  IDP_TOKEN_ENDPOINT_AUTH_METHOD: z.enum(CLIENT_AUTH_METHODS).optional().meta({
    description:
      'How the hub authenticates at the identity provider; it must fit what the hub has. Unset: a secret is sent in the body, or by Basic authentication if the metadata of the provider offers only that; keys sign for `private_key_jwt`; a certificate is for `tls_client_auth`.',
    when: 'Operators whose identity provider accepts the secret in only one way, and does not say so in its metadata, or with a self-signed certificate.',
    secret: false,
  }),
  IDP_CLIENT_CERTIFICATE: certificateSetting.optional().meta({
    description:
      'Certificate of the client `IDP_CLIENT_ID` for mutual TLS (RFC 8705) instead of a secret, in PEM: the certificate first, its chain, and its private key without a passphrase. Usually given as `IDP_CLIENT_CERTIFICATE_FILE`.',
    when: 'Operators whose identity provider requires mutual TLS.',
    secret: true,
  }),
  IDP_CLIENT_KEYS: clientKeysSetting.optional().meta(SHARED_SETTINGS.IDP_CLIENT_KEYS),
  IDP_CLIENT_ASSERTION_AUDIENCE: z
    .enum(ASSERTION_AUDIENCES)
    .optional()
    .meta(SHARED_SETTINGS.IDP_CLIENT_ASSERTION_AUDIENCE),
  IDP_SUBJECT_TOKEN_TYPE: z.enum(SUBJECT_TOKEN_TYPES).optional().meta({
    description:
      'The token of a sign-in that the identity provider exchanges, for ID-JAGs or with `token-exchange`. Unset: as its kind does (`IDP_KIND`): the access token where it issues no ID-JAGs and exchanges access tokens, else the ID token or the refresh token. With another value than `id_token`, only callers with a session that has this token can use connectors with `id-jag` or `token-exchange`.',
    when: 'Operators whose identity provider exchanges another token than its kind.',
    secret: false,
  }),
  IDP_ACTOR_TOKENS: z.stringbool().default(false).meta({
    description:
      'Whether the hub names an authenticated agent to the identity provider (`actor_token` of RFC 8693, signed with `SIGNING_KEYS`). The provider must trust the hub as an issuer of such tokens.',
    when: 'Operators whose identity provider accepts actor tokens.',
    secret: false,
  }),
  ACCEPTED_AUDIENCES: commaSeparated.pipe(z.array(z.string()).min(1)).optional().meta({
    description:
      'Clients whose ID tokens callers may present, separated by commas. Unset: only the hub’s own client.',
    when: 'Operators whose applications sign users in as clients of their own: [when that works](../reference/identity-providers.md#the-client-of-an-application).',
    example: 'frontend-app,tool-hub',
  }),
  ORGANIZATION_CLAIM: organizationSettings.ORGANIZATION_CLAIM.optional().meta(
    SHARED_SETTINGS.ORGANIZATION_CLAIM,
  ),
  ORGANIZATION_RULE: organizationSettings.ORGANIZATION_RULE.optional().meta(
    SHARED_SETTINGS.ORGANIZATION_RULE,
  ),
  ID_TOKEN_ALLOWED_CLAIMS: commaSeparated
    .pipe(z.array(z.enum(ACCESS_TOKEN_MARKS)))
    .default([])
    .meta({
      description:
        'Claims that normally mark access tokens, but are accepted in ID tokens: `scope`, `scp`, `client_id`, `token_use`, `typ`, separated by commas. An access token that has no other mark is then accepted as an ID token.',
      when: 'Operators whose users are refused, because their ID tokens have such claims.',
      example: 'client_id',
      secret: false,
    }),
  ID_JAG_ORGANIZATION: z.enum(['required', 'optional']).optional().meta({
    description:
      'Whether ID-JAGs must name the user’s organization in `organization_id`. With `optional`, tool servers cannot distinguish the data of a user’s organizations. Unset: `optional` if the rule for organizations has only one, else `required`.',
    when: 'Operators with several organizations whose identity provider cannot name the organization in ID-JAGs.',
  }),
  REQUIRE_AGENT: z.stringbool().default(false).meta({
    description: 'Whether callers that name no agent in `Legate-Agent-Id` are refused.',
    when: 'Operators who allow only calls by agents that an administrator manages.',
  }),
  ...sessionEnvironment,
};

export type SignInSettings = Readonly<z.output<z.ZodObject<typeof signInEnvironment>>>;
