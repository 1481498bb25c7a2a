import { type DestinationStream, type Logger, pino } from 'pino';
import { activeRequest } from '../tracing/active-request.ts';
import { CENSORED, redact, redactGivenOut, SECRET_MEMBERS } from './redaction.ts';

export type { Logger } from 'pino';

/** Maximum depth of the chain of causes. */
const MAX_CAUSES = 4;

const NO_IDS = {};

/** The ids that connect the lines of a request, in this service and in others. */
function requestIds(): object {
  const active = activeRequest();
  if (active === undefined) return NO_IDS;
  const { requestId, trace } = active;
  return trace ? { request_id: requestId, trace_id: trace.traceId } : { request_id: requestId };
}

/**
 * Writes JSON lines to standard output, with the ids of the current request. Members that contain credentials are
 * redacted by name, and secrets that Legate issues wherever they are, see `redaction.ts`. Lines are written in batches,
 * at most 100 ms late: a separate write costs a request more than the line does. Pino writes the rest when the process
 * exits, even after an exception.
 */
export function createLogger(options: {
  service: string;
  level: string;
  destination?: DestinationStream;
}): Logger {
  return pino(
    {
      level: options.level,
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: redact },
      // The formatter does not get the bindings of child loggers; pino's own redaction does, and is cheap at one level.
      redact: { paths: [...SECRET_MEMBERS].map((name) => `["${name}"]`), censor: CENSORED },
      hooks: { streamWrite: redactGivenOut },
      mixin: requestIds,
      mixinMergeStrategy: (fields, ids) => (ids === NO_IDS ? fields : { ...ids, ...fields }),
      serializers: { err: (err: unknown) => serializeError(err, 0) },
    },
    options.destination ?? pino.destination({ fd: 1, sync: false, minLength: 8192, periodicFlush: 100 }),
  );
}

/**
 * Name, message, code and stack of an error, its causes and its aggregated errors. Other properties are omitted:
 * libraries attach whole requests, responses and token sets to their errors.
 */
function serializeError(err: unknown, depth: number): unknown {
  if (!(err instanceof Error)) return { message: 'a value that is no Error was thrown', type: typeof err };
  const code =
    'code' in err && (typeof err.code === 'string' || typeof err.code === 'number') ? err.code : undefined;
  const inner = depth < MAX_CAUSES ? innerErrors(err, depth + 1) : {};
  return {
    type: err.name,
    message: err.message,
    ...(code !== undefined && { code }),
    stack: err.stack,
    ...inner,
  };
}

function innerErrors(err: Error, depth: number): { cause?: unknown; errors?: unknown[] } {
  return {
    ...(err.cause !== undefined && { cause: serializeError(err.cause, depth) }),
    ...(err instanceof AggregateError && { errors: err.errors.map((each) => serializeError(each, depth)) }),
  };
}
