import { readJwt } from '@legate/jwt';
import { z } from 'zod';
import type { Caller } from './caller.ts';

const Roles = z.array(z.string()).catch([]);
/** Those of management-api that may see what others of the organization did, and how its connectors are configured */
const ADMINISTRATORS = ['owner', 'admin'];

/** Reads the ID token, which has been verified for this request. */
export function isAdministrator({ subjectToken }: Caller): boolean {
  return Roles.parse(readJwt(subjectToken).claims.roles).some((role) => ADMINISTRATORS.includes(role));
}
