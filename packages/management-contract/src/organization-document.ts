import { AUTH_METHODS } from '@legate/delegation/methods';
import { AgentId, ConnectorId, OrganizationId } from '@legate/ids';
import { ScopeToken } from '@legate/oauth';
import { z } from 'zod';
import { Slug } from './slug.ts';

/** The calls that need the user's approval, as set in the agent's binding to the connector. */
export const Approval = z.enum(['always', 'write', 'never']);
export type Approval = z.output<typeof Approval>;

/**
 * The identification of agents that an organization requires in lists and calls: `named` requires the id of an agent,
 * `authenticated` requires a session or client that is bound to an agent.
 */
export const AgentPolicy = z.enum(['any', 'named', 'authenticated']);
export type AgentPolicy = z.output<typeof AgentPolicy>;

/** Methods by which the hub can get a credential for a connector, see `@legate/delegation` */
export const AuthMethod = z.enum(AUTH_METHODS.map(({ name }) => name));

/** How the hub authenticates at the token endpoint of a connector's authorization server (RFC 7591 §2) */
export const TokenEndpointAuthMethod = z.enum([
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
]);
export type TokenEndpointAuthMethod = z.output<typeof TokenEndpointAuthMethod>;

const scopes = z.array(ScopeToken).max(100);
const peerUrl = z
  .string()
  .max(2048)
  .regex(/^https?:\/\/[^\s#]+$/)
  .refine((url) => URL.canParse(url));

const ConnectorRecord = z.object({
  id: ConnectorId,
  organization_id: OrganizationId,
  name: z.string().min(1).max(500),
  /** A form that only a newer version has counts as absent: the hub derives one from the id. */
  slug: Slug.optional().catch(undefined),
  resource_url: peerUrl,
  /** Null or absent: `mcpEndpointOf(resource_url)` of `@legate/oauth` */
  mcp_url: peerUrl.nullable().default(null),
  /** Any text: a newer management API may have methods that an older hub does not support. */
  auth_method: z.string().max(100),
  scopes,
  step_up_scopes: scopes.default([]),
  /** Null or absent: no client is registered */
  client_id: z.string().min(1).max(255).nullable().default(null),
  /**
   * Null or absent: the method in the authorization server's metadata. Any text: a newer version may have methods that
   * an older hub does not support.
   */
  token_endpoint_auth_method: z.string().max(100).nullable().default(null),
  /** `audience` of the token exchange; null or absent: derived from the metadata */
  audience: z.string().min(1).max(2048).nullable().default(null),
  /** Null if there is no secret or it cannot be decrypted. For `private_key_jwt`, a JWK. */
  secret: z.string().min(1).max(16_384).nullable(),
  secret_unreadable: z.boolean(),
  service_kind: z.string().max(100).nullable().default(null),
  acknowledge_legacy: z.boolean().default(false),
  fallback: z.array(z.string().max(100)).max(10).default([]),
  /** True if ID-JAGs have worked at this connector since the fallback was last approved. */
  id_jag_used: z.boolean().default(false),
  /** True if users' consent (`oauth-pkce`) has worked at this connector since the fallback was last approved. */
  consent_used: z.boolean().default(false),
  /** True if `token-exchange` has worked at this connector since the fallback was last approved. */
  token_exchange_used: z.boolean().default(false),
  /** Null until somebody approves the fallback; each approval has a different text. */
  fallback_approval: z.string().min(1).max(100).nullable().default(null),
  passthrough_audiences: z.array(z.string().min(1).max(2048)).max(20).default([]),
  /** What `token-exchange` asks for, and what `aud` of the token must contain; null: the same */
  exchange_audience: z.string().min(1).max(2048).nullable().default(null),
  token_audience: z.string().min(1).max(2048).nullable().default(null),
  acknowledge_shared_audience: z.boolean().default(false),
  api_key_header: z.string().max(100).nullable().default(null),
  /** PEM */
  ca_certificates: z.string().min(1).max(65_536).nullable().default(null),
  /** The authorization server at which a client is registered, for every method that uses one */
  issuer: z.string().min(1).max(2048).nullable().default(null),
  fallback_secret: z.string().min(1).max(16_384).nullable().default(null),
  fallback_secret_unreadable: z.boolean().default(false),
});
export type ConnectorRecord = z.output<typeof ConnectorRecord>;

/** A display name; if null or absent, the id is shown. */
const displayName = z.string().min(1).max(500).nullable().default(null).catch(null);

const AgentRecord = z.object({
  id: AgentId,
  name: displayName,
  /** The agent's state: only an `active` agent may call. */
  status: z.string().max(100),
  connectors: z.array(
    z.object({
      connector_id: ConnectorId,
      scopes: scopes.nullable(),
      tools: z.array(z.string().min(1).max(128)).max(200).nullable(),
      /** A value that only a newer version has counts as the strictest one. */
      approval: Approval.default('write').catch('always'),
    }),
  ),
});

/**
 * The enabled connectors of one organization with their secrets, and the permissions of its agents. Members with a
 * default may be left out, and a newer management API may send further members. Give each new member a default, so that
 * a newer hub can read the document of an older management API.
 */
export const OrganizationDocument = z.object({
  organization: z.object({
    id: OrganizationId,
    name: displayName,
    status: z.enum(['active', 'suspended']),
    plan: z
      .string()
      .regex(/^[a-z][a-z0-9_-]{0,31}$/)
      .default('custom'),
    /** The plan, which defines the rate limit at the hub */
    requests_per_minute: z.number().int().positive().optional(),
    /** Source of a member's role: only `roles` in this document, or a newer token as well */
    role_source: z.enum(['local', 'identity_provider']).default('local').catch('local'),
    /** A value that only a newer version has counts as the strictest one. */
    agent_policy: AgentPolicy.default('any').catch('authenticated'),
  }),
  connectors: z.array(ConnectorRecord).max(10_000),
  agents: z.array(AgentRecord).max(10_000),
  /** Roles of members, by user. A user who is not listed has never called the management API. */
  roles: z.record(z.string().max(255), z.string().max(100)).default({}),
  /** Users who are no longer members, even if their tokens are still valid */
  removed_users: z.array(z.string().max(255)),
  /** Applications that members do not allow to act for them, by their `azp` in ID tokens */
  denied_clients: z
    .array(z.object({ user_id: z.string().max(255), client_id: z.string().max(255) }))
    .default([]),
  /** MCP clients that are bound to an agent, including those of deleted agents */
  agent_clients: z.array(z.object({ client_id: z.string().min(1).max(512), agent_id: AgentId })).default([]),
});
/** A document with every member, as the management API writes it and `parse` returns it. */
export type OrganizationDocument = z.output<typeof OrganizationDocument>;
/** A document as any version of the management API may send it */
export type OrganizationDocumentInput = z.input<typeof OrganizationDocument>;

/** The body of a 404 for an organization that does not exist. Any other 404 may come from a proxy. */
export const OrganizationNotFound = z.object({ code: z.literal('organization_not_found') });
