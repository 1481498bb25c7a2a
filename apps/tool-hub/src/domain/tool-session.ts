import { ConnectorId, OrganizationId, UserId } from '@legate/ids';
import { z } from 'zod';
import type { Caller } from './caller.ts';
import type { Connector } from './connector.ts';
import { reachName, toolSessionsName } from './reach.ts';

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
