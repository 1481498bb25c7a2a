import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** Members whose values are credentials wherever they appear; a log line keeps their names only. */
const SECRET_MEMBERS = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'client_secret',
  'client_assertion',
  'assertion',
  'subject_token',
  'actor_token',
  'access_token',
  'refresh_token',
  'id_token',
  'token',
  'code',
];

/** JSON lines on standard output; never a token: known members are redacted one and two levels deep. */
export function createLogger(options: {
  service: string;
  level: string;
  destination?: DestinationStream;
}): Logger {
  const paths = SECRET_MEMBERS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  return pino(
    {
      level: options.level,
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths, censor: '[redacted]' },
      serializers: { err: serializeError },
    },
    options.destination ?? pino.destination({ fd: 1, sync: false }),
  );
}

/**
 * Name, message, code and stack of an error and its causes. Not its own members: libraries hang whole requests,
 * answers and token sets on their errors.
 */
function serializeError(err: unknown, depth = 0): unknown {
  if (!(err instanceof Error)) return { message: 'a value that is no Error was thrown', type: typeof err };
  const code =
    'code' in err && (typeof err.code === 'string' || typeof err.code === 'number') ? err.code : undefined;
  return {
    type: err.name,
    message: err.message,
    ...(code !== undefined && { code }),
    stack: err.stack,
    ...(err.cause !== undefined && depth < 4 && { cause: serializeError(err.cause, depth + 1) }),
  };
}
