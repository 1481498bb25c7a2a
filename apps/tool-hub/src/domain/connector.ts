import type { ServedConnector } from '@legate/delegation';
import { ConnectorId, OrganizationId, UserId } from '@legate/ids';
import type { Approval } from '@legate/management-contract';
import { z } from 'zod';
import type { Caller } from './caller.ts';
import { reachName, toolSessionsName } from './reach.ts';

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

/** The parts of `toolSessionOwner` */
const Owner = z.tuple([OrganizationId, ConnectorId, UserId]).rest(z.string());

/**
 * Names the owner of a session at a tool server: a user at a connector.
 * @param purpose for sessions that only this purpose uses
 */
export const toolSessionOwner = (
  { organizationId, userId }: Pick<Caller, 'organizationId' | 'userId'>,
  { id }: Pick<Connector, 'id'>,
  ...purpose: readonly 'doctor'[]
): string => JSON.stringify([organizationId, id, userId, ...purpose]);

/** Returns the names whose end also ends the sessions of an owner. */
export function endsOfToolSession(owner: string): readonly string[] {
  const [organizationId, connectorId, userId] = Owner.parse(JSON.parse(owner));
  return [
    reachName({ organizationId }),
    reachName({ organizationId, userId }),
    reachName({ userId }),
    reachName({ organizationId, connectorId }),
    toolSessionsName({ organizationId, userId }),
    toolSessionsName({ userId }),
  ];
}
