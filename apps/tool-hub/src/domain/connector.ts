import type { ServedConnector } from '@legate/delegation';
import type { Approval } from '@legate/management-contract';

/** A tool server as one organization uses it. Contains secrets: never send or log it. */
export interface Connector extends ServedConnector {
  readonly name: string;
  /** Short name, in front of the names of its tools. `withSlugs` gives it to connectors of an organization that have none. */
  readonly slug?: string | undefined;
  /** Present where an agent acts, and the connector is narrowed to what is bound to it. */
  readonly binding?: {
    /** Undefined: all of them */
    readonly tools: ReadonlySet<string> | undefined;
    /** Identifies `scopes` if these are fewer than the connector's; no other scope is then ever requested. */
    readonly scopesKey: string | undefined;
    /** Undefined: not specified. Only the agent's host acts on it: the hub just passes it on. */
    readonly approval?: Approval | undefined;
  };
}

/** Returns true if the agent for which the connector was narrowed may use the tool. */
export const isBound = ({ binding }: Connector, tool: unknown): boolean =>
  binding?.tools === undefined || (typeof tool === 'string' && binding.tools.has(tool));
