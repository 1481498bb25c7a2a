import type { ClientCredentials, ClientKey } from '@legate/client-authentication';
import type { IdentityProvider, IdJagOrganization, SubjectTokenType } from '@legate/delegation';
import type { OrganizationId } from '@legate/ids';
import type { IdTokenClaims, SigningKeys, TokenProfile, TrustedIssuer } from '@legate/jwt';
import type { AuthenticationFailures } from '@legate/oauth/express';
import type { RateLimiter } from '@legate/rate-limit';
import type { Health, Tracer } from '@legate/service';
import type { VerifyWorkload } from '@legate/workload';
import type { CallTrail } from '../audit/call-trail.ts';
import type { Explanations } from '../audit/explanations.ts';
import type { NoteListed } from '../connectors/listed-tools.ts';
import type { ConnectorRegistry } from '../domain/registry.ts';
import type { AuthorizationServerOptions } from '../faces/authorization/feature.ts';
import type { OpenStreams } from '../faces/mcp/open-streams.ts';
import type { TransactionTokensOptions } from '../faces/transaction-tokens/feature.ts';
import type { FairUseLimits } from '../limits/fair-use.ts';
import type { Strangers } from '../limits/strangers.ts';
import type { Platform } from '../platform/platform.ts';
import type { GuardLimits } from '../resilience/guard.ts';
import type { Endings } from '../sign-in/endings.ts';
import type { LogoutTokenMemory } from '../sign-in/logout-token-memory.ts';
import type { SessionStore } from '../sign-in/session-store.ts';

/** How users connect accounts. */
export interface ConnectOptions {
  /** Pages of applications that a user may be sent back to, compared as strings */
  readonly returnTo: readonly string[];
  /** The longest that a connection lives without the user being asked again */
  readonly ttlSeconds: number;
}

export interface SessionsOptions {
  readonly store: SessionStore & LogoutTokenMemory;
  readonly endings: Endings;
  /** Tells the other replicas what has ended. */
  readonly announce: (name: string) => Promise<void>;
  /** The hub's own at the identity provider, whose refresh tokens it may redeem too */
  readonly hubClient: { readonly clientId: string; readonly clientAuth: ClientCredentials };
  /** For a renewable session */
  readonly lifetimeSeconds: number;
  /** Per organization; one more ends the oldest. */
  readonly maxPerUser: number;
}

/** The dependencies of a hub: settings, stores, and what tests replace. */
export interface AppDependencies extends Platform {
  /** The identity provider as signer of callers' ID tokens */
  readonly issuer: TrustedIssuer;
  readonly acceptedAudiences: readonly string[];
  /** The claim of ID tokens that names the organization. Users must not be able to choose it. */
  readonly organizationClaim: string;
  /** What an ID token must and must not contain */
  readonly idTokenProfile: TokenProfile<IdTokenClaims>;
  /** The hub's keys as a client of the identity provider, which are published; undefined: it has a secret */
  readonly clientKeys?: readonly ClientKey[] | undefined;
  /** What the identity provider exchanges; default: the ID token */
  readonly subjectTokenType?: SubjectTokenType | undefined;
  /** The identity provider as partner of the token exchange */
  readonly identityProvider: () => Promise<IdentityProvider>;
  readonly idJagOrganization: IdJagOrganization;
  readonly registry: ConnectorRegistry;
  /** Called with the tools that connectors list; undefined: nobody is told. */
  readonly noteListed?: NoteListed | undefined;
  /** Those of agents that listen; woken where the registry is told of a change. */
  readonly streams: OpenStreams;
  /** Refuses callers that name no agent. */
  readonly requireAgent: boolean;
  /** Services that may revoke; undefined: none. */
  readonly verifyWorkload: VerifyWorkload | undefined;
  /** Tells the other processes to invalidate an organization's connectors. */
  readonly announce: (organizationId: OrganizationId) => Promise<void>;
  /** The same of an organization that is only to be asked for again */
  readonly announceChange: (organizationId: OrganizationId) => Promise<void>;
  /** undefined: no workload gets transaction tokens. */
  readonly transactionTokens?: TransactionTokensOptions | undefined;
  /** They sign, for the identity provider, which agent acts; undefined: it is told of none. */
  readonly actorKeys?: SigningKeys | undefined;
  /** undefined: MCP clients sign users in at the identity provider itself. */
  readonly authorizationServer?: AuthorizationServerOptions | undefined;
  /** Counts clients that fail to authenticate. */
  readonly failures: AuthenticationFailures;
  /** Divides among strangers what they may use */
  readonly strangers: Strangers;
  /** How users connect accounts */
  readonly oauthConnect?: ConnectOptions | undefined;
  readonly sessions: SessionsOptions;
  /** Proxies in front, whose word on a client's address is taken */
  readonly trustedProxies?: readonly string[];
  readonly trail: CallTrail;
  readonly explanations: Pick<Explanations, 'find'>;
  /** Web pages that may speak MCP with the hub */
  readonly allowedOrigins: readonly string[];
  /** Limits what one user may request, such as examinations of connectors. */
  readonly limiter: RateLimiter;
  /** Counts the requests of organizations by their plans. */
  readonly planLimiter: RateLimiter;
  readonly fairUse: FairUseLimits;
  /** Per connector, in this process */
  readonly guardLimits: GuardLimits;
  /** For each request of discovery, and each one at a connector's token endpoint */
  readonly discoveryTimeoutMs: number;
  readonly tokenTimeoutMs: number;
  /** Time-out of a store command */
  readonly storeCommandTimeoutMs: number;
  readonly toolCallTimeoutMs: number;
  /** For one connector's part of an agent's list */
  readonly listTimeoutMs: number;
  readonly toolResultMaxBytes: number;
  /** undefined: no spans are made. */
  readonly tracer?: Tracer | undefined;
  readonly health: Health;
  /** Called with what is to be done when the process stops, before its stores and connections are closed. */
  readonly onStop?: ((work: () => Promise<void>) => void) | undefined;
}
