export { type Cause, causesOf } from './causes-of.ts';
export { ForbiddenAddress, type TlsIdentity } from './guarded-connector.ts';
export { createHttpClient, type HttpClient, type HttpClientOptions } from './http-client.ts';
export {
  type Block,
  type ConnectTo,
  isPublicAddress,
  isWithin,
  parseConnectTo,
  parseOutboundAllow,
} from './outbound-rules.ts';
export { UnusableAnswer } from './unusable-answer.ts';
