import type { ListKind } from '@legate/mcp-client';
import type { CallKind } from '../../audit/call-trail.ts';
import type { Era } from './agent-request.ts';
import type { AgentTask } from './agent-task.ts';
import type { AgentLists } from './lists.ts';
import { discovery, initialization, type Presentation } from './server-info.ts';

/** Answers a request. @returns text of the JSON-RPC result */
export type Answer = (task: AgentTask) => Promise<string>;

/** The parts of the hub that answer methods */
export interface Answers {
  readonly lists: Pick<AgentLists, 'write'>;
  readonly toolCall: Answer;
  readonly prompt: Answer;
  readonly resource: Answer;
  readonly completion: Answer;
  readonly listen: Answer;
  /** Returns how the server at the request's URL presents itself. */
  readonly present: (task: AgentTask) => Promise<Presentation>;
}

/** A method that an agent can call. */
export interface McpMethod {
  readonly answer: (answers: Answers, task: AgentTask) => Promise<string>;
  /** The audit event that each request causes; absent: only a new delegation is an event */
  readonly kind?: CallKind;
  /** The member of `params` that the header `Mcp-Name` repeats */
  readonly namedBy?: 'name' | 'uri';
  /** The only era that has the method; absent: both have it */
  readonly era?: Era;
  /** True if requests are not counted against the plan: they keep a connection alive or identify the server */
  readonly isFree?: true;
  /** True if the response is an open-ended stream, which has limits of its own */
  readonly isStream?: true;
}

const pageOf =
  (kind: ListKind): McpMethod['answer'] =>
  ({ lists }, { caller, endpoint, request, presence }) => {
    const { era, params, agent } = request;
    const { extensions } = agent;
    return lists.write({ caller, endpoint, kind, cursor: params.cursor, era, extensions, presence });
  };

/** All methods that an agent can call */
const METHODS: ReadonlyMap<string, McpMethod> = new Map<string, McpMethod>([
  ['tools/list', { answer: pageOf('tools') }],
  ['resources/list', { answer: pageOf('resources') }],
  ['resources/templates/list', { answer: pageOf('resourceTemplates') }],
  ['prompts/list', { answer: pageOf('prompts') }],
  ['tools/call', { kind: 'tool', namedBy: 'name', answer: ({ toolCall }, task) => toolCall(task) }],
  ['prompts/get', { kind: 'prompt', namedBy: 'name', answer: ({ prompt }, task) => prompt(task) }],
  ['resources/read', { kind: 'resource', namedBy: 'uri', answer: ({ resource }, task) => resource(task) }],
  ['completion/complete', { answer: ({ completion }, task) => completion(task) }],
  ['subscriptions/listen', { era: 'modern', isStream: true, answer: ({ listen }, task) => listen(task) }],
  [
    'server/discover',
    { era: 'modern', isFree: true, answer: async ({ present }, task) => discovery(await present(task)) },
  ],
  [
    'initialize',
    {
      era: 'legacy',
      isFree: true,
      answer: async ({ present }, task) =>
        initialization(task.request.params.protocolVersion, await present(task)),
    },
  ],
  ['ping', { era: 'legacy', isFree: true, answer: async () => '{}' }],
]);

/** Returns undefined for a method that the hub does not have. */
export const findMethod = (method: string): McpMethod | undefined => METHODS.get(method);
