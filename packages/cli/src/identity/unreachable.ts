import { CliError } from '../command-line/cli-error.ts';
import type { Context } from '../command-line/command.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import type { Io } from '../terminal/io.ts';
import {
  type Address,
  addressText,
  developmentAddresses,
  isLoopback,
  isSameUrl,
  type Service,
} from './addresses.ts';

const NAMES: Readonly<Record<Service, string>> = {
  hub: 'hub',
  api: 'management API',
  issuer: 'identity provider',
};

/**
 * Reports that a service did not respond. What it suggests depends on what set the address, and on whether the command
 * can start the development stack.
 * @param of.issuer the identity provider of the profile, if the command uses one
 */
export function unreachable(
  { io, typed }: Pick<Context, 'io' | 'typed'>,
  service: Service,
  address: Address,
  of: { readonly issuer?: string | undefined; readonly cause?: unknown },
): CliError {
  const { advice, next = typed } = remedyFor(io, service, address, of.issuer);
  const message = `The ${NAMES[service]} at ${addressText(address)} cannot be reached.`;
  return new CliError({
    exitCode: EXIT.unavailable,
    code: 'network',
    message: advice === undefined ? message : `${message} ${advice}`,
    next,
    cause: of.cause,
  });
}

/** Returns the command that starts the development stack, if the stack has its service at this URL. */
export function startCommand({ env, clone }: Io, service: Service, url: string): string | undefined {
  if (!isSameUrl(url, developmentAddresses(env)[service])) return undefined;
  return clone() === undefined ? 'cd <clone> && npm start' : 'legate start';
}

interface Remedy {
  readonly advice?: string;
  /** Undefined: the same command again */
  readonly next?: string;
}

function remedyFor(
  io: Io,
  service: Service,
  { url, source }: Address,
  profileIssuer: string | undefined,
): Remedy {
  if (!isLoopback(url)) return {}; // an outage
  const start = startCommand(io, service, url);
  if (start !== undefined && io.clone() !== undefined) return { next: start };
  if (source === 'default' && service !== 'issuer')
    return {
      advice: 'Set its address, or start the development stack in a clone of the repository.',
      next: `export LEGATE_${service.toUpperCase()}=<url>`,
    };
  if (start !== undefined)
    return { advice: 'Start the development stack in a clone of the repository.', next: start };
  if (source !== 'profile') return { advice: `Start it, or correct ${source}.` };
  if (profileIssuer === undefined || !isLoopback(profileIssuer)) return { advice: 'Start it.' };
  return {
    advice: 'Start it, or sign in at another development stack.',
    next: `legate login ${developmentAddresses(io.env).issuer}`,
  };
}
