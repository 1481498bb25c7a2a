export * as answers from './answers.ts';
export {
  type HostileIdentityProvider,
  type IdentityProviderLie,
  startHostileIdentityProvider,
} from './identity-provider.ts';
export { createLedger, type Ledger } from './ledger.ts';
export { type RecordingServer, startRecordingServer } from './recording-server.ts';
export {
  type HostileToolServer,
  startHostileToolServer,
  type ToolServerLie,
  type WhoAmI,
} from './tool-server.ts';
