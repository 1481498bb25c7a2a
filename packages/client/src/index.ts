export { createClient, type Ended, type Legate } from './client.ts';
export { type CodeOf, HUB_CODES, type HubCode, type SignInReason } from './codes.ts';
export type { ClientOptions, IdTokenSource, SessionRequest } from './options.ts';
export type {
  ConnectionRequired,
  ConnectLink,
  ConnectOptions,
  ContentBlock,
  Denied,
  Explanation,
  Failure,
  FieldError,
  Hint,
  Invalid,
  Misconfigured,
  NotFound,
  Outcome,
  Result,
  SignInRequired,
  Unavailable,
} from './outcome.ts';
export type { LeftOut, LegateTool, ToolAnnotations, ToolList } from './tool.ts';
export type {
  CallOptions,
  ElicitationAnswer,
  ElicitationRequest,
  OnElicitation,
  Progress,
} from './transport.ts';
