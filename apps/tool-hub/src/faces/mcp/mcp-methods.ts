import type { ListKind } from '@legate/mcp-client';
import type { Deed } from '../../audit/call-trail.ts';

/** Eras of MCP: with `_meta` in each request, or with an `initialize` handshake */
export type Era = 'modern' | 'legacy';

/** What the hub knows of a method that an agent can call. */
export interface McpMethod {
  /** The list that it reads a page of */
  readonly list?: ListKind;
  /** The audit event that it is, with a cached access token or a new one; absent: only a new delegation is an event */
  readonly deed?: Deed;
  /** The member of `params` that the header `Mcp-Name` repeats */
  readonly namedBy?: 'name' | 'uri';
  /** The only era that has it; absent: both do */
  readonly era?: Era;
  /** Keeps a connection alive or identifies the server: not counted against the plan */
  readonly isFree?: true;
  /** Its answer is open-ended, with limits of its own */
  readonly isStream?: true;
}

/** All methods that an agent can call. `answerAgent` (`methods.ts`) answers them. */
const METHODS: ReadonlyMap<string, McpMethod> = new Map<string, McpMethod>([
  ['tools/list', { list: 'tools' }],
  ['resources/list', { list: 'resources' }],
  ['resources/templates/list', { list: 'resourceTemplates' }],
  ['prompts/list', { list: 'prompts' }],
  ['tools/call', { deed: 'tool', namedBy: 'name' }],
  ['prompts/get', { deed: 'prompt', namedBy: 'name' }],
  ['resources/read', { deed: 'resource', namedBy: 'uri' }],
  ['completion/complete', {}],
  ['subscriptions/listen', { era: 'modern', isStream: true }],
  ['server/discover', { era: 'modern', isFree: true }],
  ['initialize', { era: 'legacy', isFree: true }],
  ['ping', { era: 'legacy', isFree: true }],
]);

/** Returns undefined for a method that the hub does not have. */
export const findMethod = (method: string): McpMethod | undefined => METHODS.get(method);
