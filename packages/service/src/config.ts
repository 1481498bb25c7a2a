import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseConnectTo, parseOutboundAllow } from './outbound-rules.ts';

/** The configuration cannot be used. `faults` names every variable at fault, and never a value: it may be a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly faults: readonly string[]) {
    super(`configuration: ${faults.length} fault(s)\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

/**
 * Parses the environment of a process, once, at its start. `NAME_FILE` gives the content of a file as `NAME`, and an
 * empty variable counts as not set.
 * @throws {ConfigError} with all faults at once
 */
export function parseEnvironment<Schema extends z.ZodObject>(
  schema: Schema,
  env: NodeJS.ProcessEnv,
): Readonly<z.output<Schema>> {
  const { values, faults } = withSecretFiles(env, Object.keys(schema.shape));
  const parsed = schema.safeParse(values);
  if (parsed.success && faults.length === 0) return parsed.data;
  const issues = parsed.error?.issues ?? [];
  throw new ConfigError([
    ...faults,
    ...issues.map(({ path, message }) => `${path.join('.') || 'configuration'}: ${message}`),
  ]);
}

function withSecretFiles(
  env: NodeJS.ProcessEnv,
  names: readonly string[],
): { values: Record<string, string>; faults: string[] } {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  for (const name of names) {
    const path = env[`${name}_FILE`];
    const value = env[name];
    if (value) values[name] = value;
    else if (path) {
      try {
        values[name] = readFileSync(path, 'utf8').trim();
      } catch {
        faults.push(`${name}_FILE: the file cannot be read`);
      }
    }
  }
  return { values, faults };
}

/** An absolute http or https URL without query or fragment, kept as written: identifiers are compared as strings. */
export const identifierUrl = z.string().refine(isIdentifierUrl, {
  error: 'must be an http(s) URL without query, fragment, user or trailing slash',
});

/** The issuer of somebody else's tokens: an identifier that may end with a slash, as some providers' do. */
export const issuerUrl = z.string().refine((value) => isIdentifierUrl(value.replace(/\/$/, '')), {
  error: 'must be an http(s) URL without query, fragment or user',
});

/** As browsers send it in `Origin` (Fetch standard): scheme, host and port, nothing else. */
export const browserOrigin = z
  .string()
  .refine((origin) => URL.canParse(origin) && new URL(origin).origin === origin, {
    error: 'must be an origin, such as https://app.example',
  });

function isIdentifierUrl(value: string): boolean {
  // `URL` drops spaces and line breaks silently, so they are refused here.
  if (!/^https?:\/\/[^?#\s]+$/.test(value) || value.endsWith('/') || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username === '' && password === '';
}

export const port = z.coerce.number().int().min(0).max(65_535);

/** `a, b` → `['a', 'b']` */
export const commaSeparated = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

const succeeds =
  (parse: (items: readonly string[]) => unknown) =>
  (items: readonly string[]): boolean => {
    try {
      parse(items);
      return true;
    } catch {
      return false; // the fault is reported with the name of the variable
    }
  };

/** The variables that every service has. */
export const serviceEnvironment = {
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  /** Interface to listen on. A container sets 0.0.0.0. */
  HOST: z.string().min(1).default('127.0.0.1'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** Serves Prometheus metrics on this port; unset: not served. */
  METRICS_PORT: port.optional(),
  /** Seconds that running requests get after SIGTERM. */
  SHUTDOWN_GRACE_SECONDS: z.coerce.number().int().min(0).max(600).default(10),
  /** Addresses or CIDR blocks of the proxies in front, whose word on the client's address is taken. */
  TRUSTED_PROXIES: commaSeparated.default([]),
  /**
   * Addresses besides public ones that outgoing requests may reach, and reach over plain http: `loopback` or CIDR
   * blocks, separated by commas.
   */
  OUTBOUND_ALLOW: commaSeparated
    .refine(succeeds(parseOutboundAllow), { error: 'must be "loopback" or CIDR blocks' })
    .default([]),
  /** `public-host:port=internal-host:port` pairs: where to connect for a public address, as curl's `--connect-to`. */
  CONNECT_TO: commaSeparated
    .refine(succeeds(parseConnectTo), { error: 'must be host:port=host:port pairs' })
    .default([]),
};
