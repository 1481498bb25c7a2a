import { z } from 'zod';
import { isDeeperThan } from './json-depth.ts';

/** RFC 5424 §6.2.1, the least severe first */
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

export const LogLevel = z.enum(LEVELS);
export type LogLevel = z.output<typeof LogLevel>;

/** The members of a `notifications/message`. */
const LogMessage = z.object({
  level: LogLevel,
  logger: z.string().optional().catch(undefined),
  data: z.unknown(),
});
export type LogMessage = Readonly<z.output<typeof LogMessage>>;

/** Nesting levels; serializing a deeper message could overflow the stack. */
const MAX_DEPTH = 64;

/** Returns undefined for what is no message of MCP's logging, or cannot be written again. */
export const readLogMessage = (params: unknown): LogMessage | undefined =>
  isDeeperThan(params, MAX_DEPTH) ? undefined : LogMessage.safeParse(params).data;

export const isAtLeast = (level: LogLevel, wanted: LogLevel): boolean =>
  LEVELS.indexOf(level) >= LEVELS.indexOf(wanted);
