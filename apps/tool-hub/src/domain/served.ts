import type { Credential } from '@legate/delegation';
import type { McpAnswer } from '@legate/mcp-client';

/** The response of a tool server that accepted our token. */
export interface Served {
  readonly answer: Exclude<McpAnswer, { kind: 'unauthorized' | 'insufficient_scope' }>;
  /** Known only after the call, because a connector may have fallbacks. */
  readonly credential: Credential;
  readonly fromCache: boolean;
}

export const isServed = (answer: object): answer is Served => 'answer' in answer;
