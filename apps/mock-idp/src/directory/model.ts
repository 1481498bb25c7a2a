import { SUBJECT_TOKEN_TYPES } from '@legate/identity-providers';
import { Id, OrganizationId, UserId } from '@legate/ids';
import { z } from 'zod';

// The contents of the directory, as stored. Ids fit the management API and Redis keys; `createdAt` is epoch seconds.

/** A `sub` issued by this identity provider has the form of all its ids. */
export const OwnUserId = Id.pipe(UserId);

export const User = z.object({
  id: OwnUserId,
  email: z.string(),
  emailVerified: z.boolean(),
  name: z.string(),
  /** scrypt hash, see password.ts. Without it the user cannot sign in with a password */
  passwordHash: z.string().optional(),
  groups: z.array(z.string()),
  disabled: z.boolean(),
});
export type User = z.output<typeof User>;

export const Organization = z.object({
  id: OrganizationId,
  name: z.string(),
  externalId: z.string().optional(),
  createdAt: z.number(),
});
export type Organization = z.output<typeof Organization>;

export const Membership = z.object({
  userId: UserId,
  organizationId: OrganizationId,
  role: z.string(),
  createdAt: z.number(),
});
export type Membership = z.output<typeof Membership>;

export const Client = z.object({
  clientId: z.string(),
  name: z.string(),
  isPublic: z.boolean(),
  /** SHA-256, base64url. Two while a secret is being rotated */
  secretHashes: z.array(z.string()),
  /** Public keys for `private_key_jwt` */
  jwks: z.object({ keys: z.array(z.looseObject({ kty: z.string() })) }).optional(),
  redirectUris: z.array(z.string()),
  postLogoutRedirectUris: z.array(z.string()),
  /** Origins to which the client's redirect URI may redirect the browser; see pages/form-action.ts */
  redirectOrigins: z.array(z.string()),
  grantTypes: z.array(z.string()),
  /** Other clients whose ID tokens this client may exchange */
  exchangeableAudiences: z.array(z.string()),
  /** Tokens that this client may exchange besides those that every client may */
  subjectTokenTypes: z.array(z.enum(SUBJECT_TOKEN_TYPES)).default([]),
  /** True for a public client whose ID tokens are exchanged without client authentication */
  exchangeWithoutAuthentication: z.boolean(),
  /** Issuers of actor tokens that the client may send with an exchange. Empty: its actor tokens are ignored */
  actorIssuers: z.array(z.object({ issuer: z.string(), jwksUri: z.string() })).default([]),
  /** Receives a logout token when a sign-in at the client ends or its user is disabled */
  backchannelLogoutUri: z.string().optional(),
  /** Organization for which a machine client acts with client credentials */
  organizationId: OrganizationId.optional(),
});
export type Client = z.output<typeof Client>;

/** Claims about the user that a resource server may get, besides `sub` and `organization_id`. */
export const UserClaimName = z.enum(['email', 'name', 'groups', 'roles']);
export type UserClaimName = z.output<typeof UserClaimName>;

/** A tool server with its own authorization server, which redeems our ID-JAGs. */
export const IdJagResourceServer = z.object({
  accepts: z.literal('id_jag'),
  resource: z.string(),
  /** Issuer of its authorization server; accepted as `audience` of an exchange, like the resource identifier */
  issuer: z.string(),
  scopes: z.array(z.string()),
  claims: z.array(UserClaimName),
  /**
   * `client_id` at this identity provider → the client's identifier at the authorization server, and its permitted
   * scopes (default: all)
   */
  clients: z.record(z.string(), z.object({ clientId: z.string(), scopes: z.array(z.string()).optional() })),
});
export type IdJagResourceServer = z.output<typeof IdJagResourceServer>;

/** An API that accepts access tokens of this identity provider. */
export const AccessTokenResourceServer = z.object({
  accepts: z.literal('access_token'),
  resource: z.string(),
  scopes: z.array(z.string()),
  claims: z.array(UserClaimName),
  clients: z.record(z.string(), z.object({ scopes: z.array(z.string()).optional() })),
  accessTokenTtlSeconds: z.number(),
  /** Name in an exchange, and `aud` then; undefined: the resource */
  audience: z.string().optional(),
  /** True if an exchange demands a stronger sign-in */
  stepUp: z.boolean().default(false),
});
export type AccessTokenResourceServer = z.output<typeof AccessTokenResourceServer>;

export const ResourceServer = z.discriminatedUnion('accepts', [
  IdJagResourceServer,
  AccessTokenResourceServer,
]);
export type ResourceServer = z.output<typeof ResourceServer>;

const anyOf = z.array(z.string()).min(1).optional();
export const PolicyMatch = z.object({
  users: anyOf,
  groups: anyOf,
  organizations: anyOf,
  clients: anyOf,
  resources: anyOf,
  scopes: anyOf,
  /** The agent that acts for the user, if an actor token proves one */
  agents: anyOf,
});

/**
 * A rule that applies when all its conditions match. `deny` refuses, or only removes `match.scopes` if they are given;
 * `narrow` keeps only `scopes`.
 */
export const Policy = z.discriminatedUnion('effect', [
  z.object({ id: Id, effect: z.literal('deny'), match: PolicyMatch }),
  z.object({ id: Id, effect: z.literal('narrow'), match: PolicyMatch, scopes: z.array(z.string()) }),
]);
export type Policy = z.output<typeof Policy>;
