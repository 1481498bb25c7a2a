import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  type ClientCredentials,
  clientAuthentication,
  clientKeysSetting,
} from '@legate/client-authentication';
import {
  examineProvider,
  type ProviderTarget,
  printReport,
  printSettings,
  SignInFailed,
  type SignInTokens,
  toWire,
} from '@legate/doctor';
import { KIND_NAMES, type KindName } from '@legate/identity-providers';
import { CliError, usageError } from '../command-line/cli-error.ts';
import type { Context } from '../command-line/command.ts';
import { isLoopback } from '../identity/addresses.ts';
import { obtainTokens } from '../login/sign-in.ts';
import { refusalIn } from '../login/token-refusal.ts';
import { type Examined, openClient, wrapped } from './examination.ts';

const HELP = 'legate doctor idp --help';

/** What was typed */
export interface ProviderOptions {
  readonly issuer: string;
  readonly kind: string | undefined;
  readonly clientId: string | undefined;
  readonly key: string | undefined;
  readonly secretFile: string | undefined;
  readonly audience: string | undefined;
  readonly resource: string | undefined;
  readonly scope: string | undefined;
  readonly tokenFile: string | undefined;
  readonly signsIn: boolean;
  readonly showsValues: boolean;
}

/** Examines an identity provider from this computer, without a hub. @throws {CliError} for a wrong option or file */
export async function examineIdentityProvider(context: Context, options: ProviderOptions): Promise<Examined> {
  const { io, shownBy } = context;
  const { issuer } = options;
  const target = await targetOf(context, options);
  // A provider elsewhere must not make this command send requests to this computer.
  const http = openClient(io.env.OUTBOUND_ALLOW ?? '', { isLoopbackAllowed: isLoopback(issuer) });
  const fetch = shownBy(http.fetch);
  try {
    const signIn = options.signsIn ? { signIn: signInWith(context, target, http.fetch) } : {};
    const { report, kind, settings } = await examineProvider(
      { ...target, ...signIn },
      { fetch, clock: io.clock },
    );
    const { hub, managementApi = null, console = null } = settings ?? {};
    return {
      status: report.status,
      value: {
        issuer,
        kind,
        ...toWire(report, true),
        settings: settings ? { tool_hub: hub, management_api: managementApi, console } : null,
      },
      print: (out) =>
        [
          wrapped(printReport(issuer, report, out.hasColours, { showsAll: true }), out),
          ...(settings ? [printSettings(settings)] : []),
        ].join('\n'),
    };
  } finally {
    await http.dispatcher.destroy();
  }
}

async function targetOf(context: Context, options: ProviderOptions): Promise<ProviderTarget> {
  const { issuer, clientId, audience, resource, scope, key, secretFile, showsValues } = options;
  return {
    ...{ issuer, kind: kindOf(options.kind), clientId, audience, resource, showsValues },
    credentials: await credentialsOf(context, options),
    scopes: scope?.split(' ').filter((each) => each !== ''),
    tokens: options.tokenFile === undefined ? undefined : await tokensIn(context, options.tokenFile),
    keysFile: key,
    secretFile,
    addresses: await addressesOf(issuer),
  };
}

/** @returns none for a host that is not found: the leg `metadata` reports it */
async function addressesOf(issuer: string): Promise<string[]> {
  const host = new URL(issuer).hostname.replace(/^\[|\]$/g, '');
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

function kindOf(typed: string | undefined): KindName | undefined {
  const kind = KIND_NAMES.find((name) => name === typed);
  if (typed !== undefined && kind === undefined)
    throw usageError(`--kind must be one of ${KIND_NAMES.join(', ')}.`, HELP);
  return kind;
}

async function credentialsOf(
  context: Context,
  { key, secretFile }: ProviderOptions,
): Promise<ClientCredentials | undefined> {
  const { LEGATE_IDP_SECRET: fromEnvironment } = context.io.env;
  if (key !== undefined) {
    const parsed = clientKeysSetting.safeParse(await read(context, '--key', key));
    const [privateJwk] = parsed.data ?? [];
    if (!privateJwk)
      throw usageError(`--key: the file ${parsed.error?.issues[0]?.message ?? 'has no key'}.`, HELP);
    return { method: 'private_key_jwt', privateJwk };
  }
  const secret =
    secretFile === undefined
      ? fromEnvironment
      : (await read(context, '--secret-file', secretFile)).replace(/\r?\n$/, '');
  if (secretFile !== undefined && !secret) throw usageError('--secret-file: the file is empty.', HELP);
  return secret ? { method: 'client_secret', clientSecret: secret } : undefined;
}

/** Reads the response of a token endpoint, or an ID token alone. */
async function tokensIn(context: Context, path: string): Promise<SignInTokens> {
  const text = (await read(context, '--token-file', path)).trim();
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)) return { idToken: text };
  let members: Record<string, unknown> = {};
  try {
    members = Object(JSON.parse(text));
  } catch {
    // as if it were empty
  }
  const token = (name: string) => {
    const { [name]: value } = members;
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const tokens = {
    idToken: token('id_token'),
    accessToken: token('access_token'),
    refreshToken: token('refresh_token'),
  };
  if (Object.values(tokens).every((each) => each === undefined))
    throw usageError(
      '--token-file: the file must have an ID token, or a JSON object with id_token, access_token and refresh_token.',
      HELP,
    );
  return tokens;
}

/** @throws {CliError} which names the option, and quotes nothing of the file */
async function read({ io }: Context, option: string, path: string): Promise<string> {
  try {
    return await readFile(resolve(io.cwd, path), 'utf8');
  } catch (cause) {
    const { code } = Object(cause);
    throw usageError(
      `${option}: the file cannot be read (${typeof code === 'string' ? code : 'unknown reason'}).`,
      HELP,
    );
  }
}

/** Signs in at the loopback address of `legate login`, as the hub's client. */
const signInWith =
  ({ io, out, typed }: Context, target: ProviderTarget, fetch: typeof globalThis.fetch) =>
  async (scope: string, credentials: ClientCredentials | undefined): Promise<SignInTokens> => {
    const { issuer, clientId = '' } = target;
    const wanted = { issuer, clientId, scope, isPasted: false, again: typed };
    try {
      return await obtainTokens(
        { ...io, fetch },
        credentials ? { ...wanted, authentication: await clientAuthentication(credentials) } : wanted,
        async (url) => {
          const isOpen = await io.openBrowser(url);
          out.note(
            isOpen
              ? 'Sign in with your browser. If none has opened, open this address:'
              : 'Open this address on this computer:',
            url,
          );
        },
      );
    } catch (err) {
      throw err instanceof CliError
        ? new SignInFailed(err.message, { cause: err, refusal: refusalIn(err.cause) })
        : err;
    }
  };
