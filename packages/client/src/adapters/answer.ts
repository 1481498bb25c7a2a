import type { Legate } from '../client.ts';
import type { ConnectionRequired, ContentBlock, Outcome, SignInRequired } from '../outcome.ts';
import type { LegateTool } from '../tool.ts';
import type { Json } from '../wire.ts';
import type { WhenUndecided } from './approval.ts';

/** Something that only the user can do before the tool can be called. */
export type UserAction = ConnectionRequired | SignInRequired;

export interface ToolsOptions {
  readonly whenUndecided?: WhenUndecided;
  /**
   * Called when the user must connect an account or sign in; returns the text for the model. Default: a text with the
   * address of the hub's page, which contains no secret, unlike the link of `connect()`.
   */
  readonly onUserAction?: (needed: UserAction, tool: LegateTool) => string | Promise<string>;
  readonly signal?: AbortSignal;
}

/** The outcome of a call, for a model and for the application that shows it. Plain JSON. */
export interface ToolAnswer {
  readonly kind: Outcome['kind'];
  readonly isError: boolean;
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly callId?: string;
}

/**
 * Calls a tool for an agent. A failure must not end the agent's run, so it is returned as an answer that describes what
 * happened.
 * @throws the reason of an aborted signal
 */
export async function answerCall(
  legate: Legate,
  tool: LegateTool,
  args: Json,
  options: Pick<ToolsOptions, 'onUserAction' | 'signal'>,
): Promise<ToolAnswer> {
  const { signal } = options;
  const outcome = await legate.call(tool, args, { ...(signal && { signal }) });
  switch (outcome.kind) {
    case 'result': {
      const { kind, isError, content, structuredContent, callId } = outcome;
      return {
        ...{ kind, isError, content },
        ...(structuredContent !== undefined && { structuredContent }),
        ...(callId !== undefined && { callId }),
      };
    }
    case 'connection_required':
    case 'sign_in_required': {
      const describe = options.onUserAction ?? describeUserAction;
      return failed(outcome, await describe(outcome, tool));
    }
    case 'unavailable':
      return failed(outcome, `${outcome.detail} The tool may have run.`);
    default:
      return failed(outcome, outcome.detail);
  }
}

/** Returns the answer for a call that the user refused. */
export const refusedAnswer = (text: string): ToolAnswer => ({
  kind: 'denied',
  isError: true,
  content: [{ type: 'text', text }],
});

const failed = ({ kind, callId }: Outcome, text: string): ToolAnswer => ({
  kind,
  isError: true,
  content: [{ type: 'text', text }],
  ...(callId !== undefined && { callId }),
});

/**
 * Returns what the model may show to the user. Text for a model may be stored and repeated, so it contains no personal
 * link.
 */
export function describeUserAction(needed: UserAction): string {
  if (needed.kind === 'sign_in_required') return `${needed.detail} The user must sign in again first.`;
  const page = needed.hints.find(({ type }) => type === 'url')?.url;
  return typeof page === 'string'
    ? `The user must first connect their own account. Show them this link: ${page}`
    : 'The user must first connect their own account. The application can get a link for this.';
}
