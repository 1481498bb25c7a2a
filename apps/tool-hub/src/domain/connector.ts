import type { ServedConnector } from '@legate/delegation';
import { ConnectorId, OrganizationId, UserId } from '@legate/ids';
import type { Approval } from '@legate/management-contract';
import { z } from 'zod';
import type { Caller } from './caller.ts';
import { reachName, toolSessionsName } from './reach.ts';

/** A tool server as one organization uses it. Contains secrets: never send or log it. */
export interface Connector extends ServedConnector {
  readonly name: string;
  /**
   * Short name, used as a prefix of the names of the connector's tools. `withSlugs` sets it for connectors of an
   * organization that have none.
   */
  readonly slug?: string | undefined;
  /** Present if an agent acts; the connector is then narrowed to what is bound to the agent. */
  readonly binding?: {
    /** Names of the bound tools. Undefined: all */
    readonly tools: ReadonlySet<string> | undefined;
    /** Identifies `scopes` if these are fewer than the connector's; the hub then never requests any other scope. */
    readonly scopesKey: string | undefined;
    /** Undefined: not specified. The hub passes it on, and only the agent's host acts on it. */
    readonly approval?: Approval | undefined;
  };
}

/** Returns true if the agent for which the connector was narrowed may use the tool. */
export const isBound = ({ binding }: Connector, tool: unknown): boolean =>
  binding?.tools === undefined || (typeof tool === 'string' && binding.tools.has(tool));

/** Parts of the name that `toolSessionOwner` returns */
const Owner = z.tuple([OrganizationId, ConnectorId, UserId]).rest(z.string());

/**
 * Returns the name of a session's owner: a user at a connector.
 * @param purpose for sessions that are used only for this purpose
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
