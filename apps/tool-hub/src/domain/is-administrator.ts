import { readJwt } from '@legate/jwt';
import { z } from 'zod';
import type { Caller } from './caller.ts';

const Roles = z.array(z.string()).catch([]);
/** Those of management-api that may see what others of the organization did, and how its connectors are configured */
const ADMINISTRATORS = ['owner', 'admin'];

/** Those of management-api that integrate tool servers */
const INTEGRATORS = [...ADMINISTRATORS, 'developer'];

/** Reads the ID token, which has been verified for this request. */
export const isAdministrator = (caller: Caller): boolean => hasRole(caller, ADMINISTRATORS);

/** True for administrators and developers; read as `isAdministrator` does. */
export const isIntegrator = (caller: Caller): boolean => hasRole(caller, INTEGRATORS);

/** A session that is bound to an agent has the agent's rights, and no role of its user. */
const hasRole = ({ subjectToken, agentId }: Caller, roles: readonly string[]): boolean =>
  agentId === undefined &&
  Roles.parse(readJwt(subjectToken).claims.roles).some((role) => roles.includes(role));
