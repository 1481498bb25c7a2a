import type { Obtained } from '@legate/delegation';
import type { McpAnswer } from '@legate/mcp-client';
import type { Problem } from '@legate/service';
import type { Caller } from './caller.ts';
import type { Connector } from './connector.ts';
import type { Decided } from './decision.ts';

/** A step of a call, reported as soon as it has happened. Times are in milliseconds. */
export type CallStep =
  /** The caller named a connector, and a tool, prompt or resource. Neither needs to exist. */
  | {
      readonly step: 'addressed';
      readonly connectorId: string | undefined;
      readonly name: string | undefined;
      /** Id of the denied call that this one repeats, as the caller says */
      readonly retryOf?: string | undefined;
    }
  /** The registry returned the connectors that the caller may use. */
  | { readonly step: 'connectors_found' }
  /** The connector is one of these. `name`: of the tool or prompt, or the URI of the resource, at its tool server */
  | { readonly step: 'target_found'; readonly connector: Connector; readonly name: string }
  /** A delegation ended, in a credential or in a refusal. */
  | {
      readonly step: 'credential_obtained';
      readonly caller: Caller;
      readonly connector: Connector;
      readonly obtained: Obtained;
      readonly ms: number;
    }
  /** The tool server answered an attempt, or it is known that it does not. Several attempts may follow each other. */
  | { readonly step: 'request_sent'; readonly answer: McpAnswer; readonly ms: number }
  /** The last attempt has its answer. `callerLeft`: the caller closed the connection before. */
  | { readonly step: 'answered'; readonly answer: McpAnswer; readonly callerLeft: boolean }
  /** The call ends by this decision, unless an earlier step decided so. */
  | { readonly step: 'refused'; readonly decided: Decided }
  /** The call ends by this error, unless an earlier step decided so. */
  | { readonly step: 'failed'; readonly error: unknown }
  /** The call was ended from outside, whatever the other steps decided: a session ended or access was revoked. */
  | { readonly step: 'cut'; readonly why: Problem };

/**
 * Observes the steps of a call. It neither throws nor waits, and changes nothing about the call. An object, because a
 * function would have to be bound for each call.
 */
export interface CallObserver {
  report(step: CallStep): void;
}
