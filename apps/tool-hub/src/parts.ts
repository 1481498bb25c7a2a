import type { ClientKey } from '@legate/client-authentication';
import type { SigningKeys } from '@legate/jwt';
import type { VerifyWorkload } from '@legate/workload';
import type { CallTrail } from './audit/call-trail.ts';
import type { Explanations } from './audit/explanations.ts';
import type { CallLimits } from './calls/settings.ts';
import type { ConnectorChanges } from './connectors/changes.ts';
import type { NoteListed } from './connectors/listed-tools.ts';
import type { ConnectorRegistry } from './domain/registry.ts';
import type { ConnectOptions } from './faces/accounts/settings.ts';
import type { AuthorizationServerOptions } from './faces/authorization/options.ts';
import type { OpenStreams } from './faces/mcp/open-streams.ts';
import type { TransactionTokensOptions } from './faces/transaction-tokens/options.ts';
import type { Limits } from './limits/open.ts';
import type { IdentityProviderPart } from './sign-in/identity-provider.ts';
import type { SharedSessions } from './sign-in/shared-sessions.ts';

/** The parts of an app besides its platform: main.ts opens them with its settings, and tests with their own. */
export interface Parts {
  readonly identityProvider: IdentityProviderPart;
  readonly connectors: ConnectorChanges & {
    readonly registry: ConnectorRegistry;
    /** Called with the tools that connectors list; undefined: nothing is called. */
    readonly noteListed?: NoteListed | undefined;
    /** True if callers that name no agent are refused. */
    readonly requireAgent: boolean;
  };
  readonly sessions: SharedSessions;
  readonly limits: Limits;
  readonly audit: { readonly trail: CallTrail; readonly explanations: Pick<Explanations, 'find'> };
  readonly calls: CallLimits;
  readonly accounts: ConnectOptions;
  /** Open streams of listening agents; notified when the registry learns of a change. */
  readonly streams: OpenStreams;
  /** Origins of web pages that may use MCP and the API */
  readonly allowedOrigins: readonly string[];
  /**
   * Keys that sign actor tokens for the identity provider, which name the agent that acts; undefined: no actor tokens
   * are sent.
   */
  readonly actorKeys: SigningKeys | undefined;
  /**
   * The hub's keys as a client of the identity provider, whose public parts are published; undefined: the hub has a
   * secret
   */
  readonly clientKeys: readonly ClientKey[] | undefined;
  /** Undefined: MCP clients sign users in directly at the identity provider. */
  readonly authorizationServer: AuthorizationServerOptions | undefined;
  /** Undefined: no workload gets transaction tokens. */
  readonly transactionTokens: TransactionTokensOptions | undefined;
  /** Verifies services that may revoke; undefined: there are none. */
  readonly verifyWorkload: VerifyWorkload | undefined;
}
