import { z } from 'zod';
import { PEER_TIMEOUT_MS } from '../platform/outbound.ts';
import type { GuardLimits } from '../resilience/connector-guards.ts';

/** Settings of calls */
export const callsEnvironment = {
  TOOL_CALL_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(600).default(60).meta({
    description:
      'Time limit for each tool call. When the hub stops, running requests have the same time, but at least 10 seconds: the grace period of the container must be longer.',
    when: 'Operators whose tools take longer than a minute.',
  }),
};

/**
 * Maximum concurrent requests of a connector: one with more is hanging, and must not block the whole process
 * (docs/adr/0044).
 */
const CONNECTOR_MAX_CONCURRENT = 500;
/**
 * Seconds that a circuit breaker stays open: enough for a tool server to restart, and no longer than an agent waits
 * before its second attempt
 */
const BREAKER_OPEN_SECONDS = 10;
/** Time-out of one connector's part of a list: an agent waits for all parts, and slow parts are omitted. */
const LIST_TIMEOUT_MS = 5000;
/**
 * Maximum bytes of a tool's result: far more than a model can read. Each byte counts twice against the share of its
 * user (docs/adr/0041).
 */
const TOOL_RESULT_MAX_BYTES = 4_194_304;

/** Limits of calls and of the requests that they send */
export interface CallLimits {
  /** Limits of each connector, in this process */
  readonly guardLimits: GuardLimits;
  /** Time-out of each request to a connector's token endpoint, which is that of the HTTP client */
  readonly tokenTimeoutMs: number;
  /** Time-out of a store command */
  readonly storeCommandTimeoutMs: number;
  readonly toolCallTimeoutMs: number;
  /** Time-out of one connector's part of an agent's list */
  readonly listTimeoutMs: number;
  readonly toolResultMaxBytes: number;
}

/** Returns the limits of a deployment: some are settings, the others are fixed. */
export const callLimits = (settings: {
  readonly TOOL_CALL_TIMEOUT_SECONDS: number;
  readonly REDIS_COMMAND_TIMEOUT_MS: number;
}): CallLimits => ({
  guardLimits: { maxConcurrent: CONNECTOR_MAX_CONCURRENT, openSeconds: BREAKER_OPEN_SECONDS },
  tokenTimeoutMs: PEER_TIMEOUT_MS,
  storeCommandTimeoutMs: settings.REDIS_COMMAND_TIMEOUT_MS,
  toolCallTimeoutMs: settings.TOOL_CALL_TIMEOUT_SECONDS * 1000,
  listTimeoutMs: LIST_TIMEOUT_MS,
  toolResultMaxBytes: TOOL_RESULT_MAX_BYTES,
});
