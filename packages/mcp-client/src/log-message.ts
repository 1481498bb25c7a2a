import { z } from 'zod';
import { isDeeperThan } from './json-depth.ts';
import type { JsonMembers } from './json-members.ts';

/** RFC 5424 §6.2.1, the least severe first */
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

export const LogLevel = z.enum(LEVELS);
export type LogLevel = z.output<typeof LogLevel>;

/** The members of a `notifications/message` as JSON text. */
export interface LogMessage {
  readonly level: LogLevel;
  readonly members: JsonMembers;
}

const Members = z.object({
  level: LogLevel,
  logger: z.string().optional().catch(undefined),
  data: z.unknown(),
});
/** Maximum nesting depth; a deeper message could overflow the stack of its reader. */
const MAX_DEPTH = 64;

/** Returns the valid members of `params`, or undefined if they are not an MCP log message or are nested too deeply. */
export const readLogMessage = (params: unknown): Readonly<z.output<typeof Members>> | undefined =>
  isDeeperThan(params, MAX_DEPTH) ? undefined : Members.safeParse(params).data;

export const isAtLeast = (level: LogLevel, wanted: LogLevel): boolean =>
  LEVELS.indexOf(level) >= LEVELS.indexOf(wanted);
