import { SUBJECT_TOKEN_TYPES } from '@legate/identity-providers';
import { Id, OrganizationId } from '@legate/ids';
import { GRANT_TYPE, hashClientSecret, ScopeToken } from '@legate/oauth';
import { identifierUrl, issuerUrl, resourceUrl } from '@legate/service';
import { z } from 'zod';
import type { AccessTokenResourceServer, Client } from './model.ts';
import { type IdJagResourceServer, OwnUserId, type Policy, PolicyMatch, UserClaimName } from './model.ts';

/** The directory in the form of the configuration file and the admin API (snake_case, plain-text secrets). */
const texts = (max: number) => z.array(z.string().min(1).max(255)).max(max);
/** RFC 6749 §2.3.1 forbids a colon in a client id for Basic, but a URL may be a client id. */
const clientId = z.string().regex(/^[\x21-\x7E]{1,255}$/, 'must be 1 to 255 printable ASCII characters');

export const UserEntry = z.strictObject({
  id: OwnUserId.optional(),
  email: z.email().max(254).toLowerCase(),
  email_verified: z.boolean().default(true),
  name: z.string().trim().min(1).max(200),
  password: z.string().min(8).max(200).optional(),
  groups: texts(100).default([]),
  disabled: z.boolean().default(false),
});
export type UserEntry = z.output<typeof UserEntry>;

export const OrganizationEntry = z.strictObject({
  id: OrganizationId.optional(),
  // Counts code points, as people count characters: an emoji is one.
  name: z
    .string()
    .trim()
    .min(1)
    .refine((name) => [...name].length <= 100, { error: 'must have at most 100 characters' }),
  external_id: z.string().min(1).max(255).optional(),
});
export type OrganizationEntry = z.output<typeof OrganizationEntry>;

export const MembershipEntry = z.strictObject({
  /** User id or e-mail address */
  user: z.string().min(1).max(254),
  organization: OrganizationId,
  role: Id.default('developer'),
});
export type MembershipEntry = z.output<typeof MembershipEntry>;

/**
 * An origin that becomes a source of a Content-Security-Policy, where other characters could start another directive.
 */
const redirectOrigin = z
  .string()
  .max(255)
  .regex(
    /^https?:\/\/([A-Za-z0-9.-]+|\[[0-9a-f:]+\])(:(\d{1,5}|\*))?$/,
    'must be an origin; its port may be *',
  );

const grantTypes = [
  GRANT_TYPE.authorizationCode,
  GRANT_TYPE.refreshToken,
  GRANT_TYPE.clientCredentials,
  GRANT_TYPE.tokenExchange,
] as const;

export const ClientEntry = z
  .strictObject({
    client_id: clientId,
    name: z.string().trim().min(1).max(200).optional(),
    public: z.boolean().default(false),
    client_secrets: z.array(z.string().min(16).max(255)).max(2).default([]),
    jwks: z
      .strictObject({ keys: z.array(z.looseObject({ kty: z.enum(['RSA', 'EC', 'OKP']) })).min(1) })
      .optional(),
    redirect_uris: z.array(z.url().max(2000)).max(100).default([]),
    post_logout_redirect_uris: z.array(z.url().max(2000)).max(100).default([]),
    redirect_origins: z.array(redirectOrigin).max(50).default([]),
    grant_types: z
      .array(z.enum(grantTypes))
      .min(1)
      .default([GRANT_TYPE.authorizationCode, GRANT_TYPE.refreshToken]),
    exchangeable_audiences: z.array(clientId).max(100).default([]),
    /** Tokens that the client may exchange besides those that every client of the provider may */
    subject_token_types: z.array(z.enum(SUBJECT_TOKEN_TYPES)).max(3).default([]),
    exchange_without_authentication: z.boolean().default(false),
    actor_issuers: z
      .array(z.strictObject({ issuer: identifierUrl, jwks_uri: identifierUrl }))
      .max(10)
      .default([]),
    /** OpenID Connect Back-Channel Logout §2.2; `sid` is always sent */
    backchannel_logout_uri: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .optional(),
    organization_id: OrganizationId.optional(),
  })
  .superRefine((client, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    const credentials = client.client_secrets.length + (client.jwks ? 1 : 0);
    if (client.public && credentials > 0) refuse('public', 'a public client has no secret and no keys');
    if (!client.public && credentials === 0)
      refuse('client_secrets', 'a confidential client needs a secret or keys');
    if (client.public && client.grant_types.includes(GRANT_TYPE.clientCredentials))
      refuse('grant_types', 'client_credentials is for confidential clients (RFC 6749 §4.4)');
    if (client.exchange_without_authentication && !client.public)
      refuse('exchange_without_authentication', 'a confidential client always authenticates');
    if (client.jwks?.keys.some((key) => 'd' in key || 'k' in key))
      refuse('jwks', 'must hold public keys only');
    if (client.grant_types.includes(GRANT_TYPE.authorizationCode) && client.redirect_uris.length === 0)
      refuse('redirect_uris', 'needed for authorization_code');
  });
export type ClientEntry = z.output<typeof ClientEntry>;

const resourceServer = {
  resource: resourceUrl,
  scopes: z.array(ScopeToken).min(1).max(200),
  /** Claims about the user that the server gets. Default: none (data minimisation) */
  claims: z.array(UserClaimName).default([]),
};
export const ResourceServerEntry = z.discriminatedUnion('accepts', [
  z.strictObject({
    ...resourceServer,
    accepts: z.literal('id_jag'),
    issuer: issuerUrl.optional(),
    clients: z.record(
      clientId,
      z.strictObject({ client_id: clientId, scopes: z.array(ScopeToken).optional() }),
    ),
  }),
  z.strictObject({
    ...resourceServer,
    accepts: z.literal('access_token'),
    clients: z.record(clientId, z.strictObject({ scopes: z.array(ScopeToken).optional() })),
    access_token_ttl_seconds: z.number().int().min(60).max(86_400).default(3600),
    /** Name of the API where a user's access token is exchanged for one of it. Default: the resource */
    audience: z.string().min(1).max(255).optional(),
    /** True: the exchange demands a stronger sign-in, as a Conditional Access policy does */
    step_up: z.boolean().default(false),
  }),
]);
export type ResourceServerEntry = z.output<typeof ResourceServerEntry>;

export const PolicyEntry = z.discriminatedUnion('effect', [
  z.strictObject({ id: Id.optional(), effect: z.literal('deny'), match: PolicyMatch.strict() }),
  z.strictObject({
    id: Id.optional(),
    effect: z.literal('narrow'),
    match: PolicyMatch.strict(),
    scopes: z.array(ScopeToken),
  }),
]);
export type PolicyEntry = z.output<typeof PolicyEntry>;

export function toClient(entry: ClientEntry): Client {
  return {
    clientId: entry.client_id,
    name: entry.name ?? entry.client_id,
    isPublic: entry.public,
    secretHashes: entry.client_secrets.map((secret) => hashClientSecret(secret).toString('base64url')),
    ...(entry.jwks && { jwks: entry.jwks }),
    redirectUris: entry.redirect_uris,
    postLogoutRedirectUris: entry.post_logout_redirect_uris,
    redirectOrigins: entry.redirect_origins,
    grantTypes: entry.grant_types,
    exchangeableAudiences: entry.exchangeable_audiences,
    subjectTokenTypes: entry.subject_token_types,
    exchangeWithoutAuthentication: entry.exchange_without_authentication,
    actorIssuers: entry.actor_issuers.map(({ issuer, jwks_uri: jwksUri }) => ({ issuer, jwksUri })),
    ...(entry.backchannel_logout_uri !== undefined && { backchannelLogoutUri: entry.backchannel_logout_uri }),
    ...(entry.organization_id !== undefined && { organizationId: entry.organization_id }),
  };
}

export function toResourceServer(
  entry: ResourceServerEntry,
): IdJagResourceServer | AccessTokenResourceServer {
  const { resource, scopes, claims } = entry;
  if (entry.accepts === 'access_token') {
    return {
      accepts: entry.accepts,
      resource,
      scopes,
      claims,
      clients: entry.clients,
      accessTokenTtlSeconds: entry.access_token_ttl_seconds,
      ...(entry.audience !== undefined && { audience: entry.audience }),
      stepUp: entry.step_up,
    };
  }
  return {
    accepts: entry.accepts,
    resource,
    issuer: entry.issuer ?? resource,
    scopes,
    claims,
    clients: Object.fromEntries(
      Object.entries(entry.clients).map(([id, client]) => [
        id,
        { clientId: client.client_id, ...(client.scopes && { scopes: client.scopes }) },
      ]),
    ),
  };
}

export function toPolicy(entry: PolicyEntry, id: string): Policy {
  return entry.effect === 'deny'
    ? { id, effect: entry.effect, match: entry.match }
    : { id, effect: entry.effect, match: entry.match, scopes: entry.scopes };
}
