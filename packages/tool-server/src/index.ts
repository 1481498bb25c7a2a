export type { TransactionTokenService } from '@legate/transaction-tokens';
export { type Caller, callerOf, type ToolServerAuthInfo, type UserKey, userKeyOf } from './bearer/caller.ts';
export type { Endpoints } from './metadata/endpoints.ts';
export {
  type CallService,
  createServiceCalls,
  type ServiceCall,
  type ServiceCallOutcome,
} from './service-calls.ts';
export type { ClientAssertionAudience, ToolServerClient } from './token-endpoint/clients.ts';
export type { Identity, ResolveUser, UserDecision } from './token-endpoint/redeem-assertion.ts';
export {
  createToolServer,
  type ToolServer,
  type ToolServerOptions,
  type TrustedIdentityProvider,
} from './tool-server.ts';
