import type { Obtained } from '@legate/delegation';
import type { McpAnswer } from '@legate/mcp-client';
import type { Problem } from '@legate/service';
import type { Caller } from './caller.ts';
import type { Connector } from './connector.ts';
import type { Decided } from './decision.ts';

/** A step of a call, reported as soon as it has happened. Times are in milliseconds. */
export type CallStep =
  /** The caller named a connector and a tool, prompt or resource, which need not exist. */
  | {
      readonly step: 'addressed';
      readonly connectorId: string | undefined;
      readonly name: string | undefined;
      /** Id of the denied call that this call repeats, according to the caller */
      readonly retryOf?: string | undefined;
    }
  /** The registry returned the connectors that the caller may use. */
  | { readonly step: 'connectors_found' }
  /**
   * The connector is one that the caller may use. `name`: name of the tool or prompt, or URI of the resource, at its
   * tool server
   */
  | { readonly step: 'target_found'; readonly connector: Connector; readonly name: string }
  /** A delegation ended with a credential or a refusal. */
  | {
      readonly step: 'credential_obtained';
      readonly caller: Caller;
      readonly connector: Connector;
      readonly obtained: Obtained;
      readonly ms: number;
    }
  /** The tool server responded to an attempt, or failed to. Further attempts may follow. */
  | { readonly step: 'request_sent'; readonly answer: McpAnswer; readonly ms: number }
  /** The last attempt has its response. `callerLeft`: the caller had closed the connection before that. */
  | { readonly step: 'answered'; readonly answer: McpAnswer; readonly callerLeft: boolean }
  /** The call ends with this decision, unless an earlier step has already decided. */
  | { readonly step: 'refused'; readonly decided: Decided }
  /** The call ends with this error, unless an earlier step has already decided. */
  | { readonly step: 'failed'; readonly error: unknown }
  /** The call was cancelled, whatever the other steps decided: a session ended or access was revoked. */
  | { readonly step: 'cut'; readonly why: Problem };

/**
 * Observes the steps of a call. It neither throws nor waits, and does not affect the call. An object, because a
 * function would have to be bound for each call.
 */
export interface CallObserver {
  report(step: CallStep): void;
}
