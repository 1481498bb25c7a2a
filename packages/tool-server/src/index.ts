export type { SigningKeys, SubjectIdentifier } from '@legate/jwt';
export type { AuthenticationFailures } from '@legate/oauth';
export type { ToolServerAuthInfo } from './bearer/auth-info.ts';
export {
  type AuthInfoLike,
  type Caller,
  type CallerClaims,
  callerOf,
  hasScopes,
  type UserKey,
  userKeyOf,
} from './bearer/caller.ts';
export type { PlainAnswer, PlainRequest, RequestHeaders } from './http/plain.ts';
export { type Endpoints, ownPaths } from './metadata/endpoints.ts';
export { memoryOneTimeStore, type OneTimeStore } from './one-time/one-time-store.ts';
export { type IoredisLike, type NodeRedisLike, redisOneTimeStore } from './one-time/redis-one-time-store.ts';
export type { ToolServerLog, ToolServerOptions, TrustedIdentityProvider } from './options.ts';
export type { ProtectedHandler } from './router.ts';
export type { ClientAssertionAudience, ToolServerClient } from './token-endpoint/clients.ts';
export type { Identity, ResolveUser, UserDecision } from './token-endpoint/redeem-assertion.ts';
export type { TokenRequestContext } from './token-endpoint/token-handler.ts';
export { createToolServer, type ToolServer } from './tool-server.ts';
