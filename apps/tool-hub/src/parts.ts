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

/** What an app is made of besides its platform: main.ts opens it by the settings, and tests by their own. */
export interface Parts {
  readonly identityProvider: IdentityProviderPart;
  readonly connectors: ConnectorChanges & {
    readonly registry: ConnectorRegistry;
    /** Called with the tools that connectors list; undefined: nobody is notified. */
    readonly noteListed?: NoteListed | undefined;
    /** Refuses callers that name no agent. */
    readonly requireAgent: boolean;
  };
  readonly sessions: SharedSessions;
  readonly limits: Limits;
  readonly audit: { readonly trail: CallTrail; readonly explanations: Pick<Explanations, 'find'> };
  readonly calls: CallLimits;
  readonly accounts: ConnectOptions;
  /** Streams of agents that listen; woken where the registry is notified of a change. */
  readonly streams: OpenStreams;
  /** Web pages that may speak MCP with the hub, and call its API */
  readonly allowedOrigins: readonly string[];
  /** Keys of the tokens that tell the identity provider which agent acts; undefined: it is not told. */
  readonly actorKeys: SigningKeys | undefined;
  /** The hub's keys as a client of the identity provider, which are published; undefined: it has a secret */
  readonly clientKeys: readonly ClientKey[] | undefined;
  /** undefined: MCP clients sign users in at the identity provider itself. */
  readonly authorizationServer: AuthorizationServerOptions | undefined;
  /** undefined: no workload gets transaction tokens. */
  readonly transactionTokens: TransactionTokensOptions | undefined;
  /** Services that may revoke; undefined: none. */
  readonly verifyWorkload: VerifyWorkload | undefined;
}
