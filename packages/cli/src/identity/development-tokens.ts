import { CliError, usageError } from '../command-line/cli-error.ts';
import type { Context } from '../command-line/command.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import type { Io } from '../terminal/io.ts';
import { plain } from '../terminal/plain.ts';
import { type Address, addressText, isLoopback } from './addresses.ts';
import { unreachable } from './unreachable.ts';

export const DEVELOPMENT_USER = 'alice@acme.example';
/** A client application of the development data */
export const DEVELOPMENT_CLIENT = 'frontend-app';
/** The admin key, which is public: in production, every service refuses the development data. */
const ADMIN_KEY = 'mock-idp-dev-admin-key';

const METADATA = '/.well-known/openid-configuration';
const TIME_LIMIT_MS = 2000;

/**
 * Returns the issuer of the development identity provider at an address of this computer. The issuer has a path if the
 * provider imitates one with a path (`PERSONALITY`); its front page links the metadata. Returns undefined if there is
 * no response.
 */
export async function findDevelopmentIssuer(io: Io, address: string): Promise<string | undefined> {
  if (!isLoopback(address)) return undefined;
  const { origin } = new URL(address);
  const issuerAt = async (url: string) => Object(await readJson(io, url)).issuer;
  let issuer = await issuerAt(`${address.replace(/\/$/, '')}${METADATA}`);
  if (issuer === undefined) {
    const { documents } = Object(await readJson(io, `${origin}/`));
    const links: unknown[] = Array.isArray(documents) ? documents.map((each) => Object(each).href) : [];
    const linked = links.find(
      (href) => String(href).startsWith(`${origin}/`) && String(href).endsWith(METADATA),
    );
    if (linked !== undefined) issuer = await issuerAt(String(linked));
  }
  return typeof issuer === 'string' ? issuer : undefined;
}

async function readJson({ fetch, signal }: Io, url: string): Promise<unknown> {
  try {
    const answer = await fetch(url, {
      headers: { Accept: 'application/json' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]),
    });
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}

/** What the provider may not know, and the command to type then */
interface Unknown {
  readonly what: string;
  readonly next?: string | undefined;
}

/** Gets tokens from the development identity provider, without a sign-in. */
export function developmentTokens(context: Context, address: Address, user: string) {
  const { io } = context;
  const { url: issuer } = address;
  async function mint(path: string, member: string, body: object, unknown: Unknown): Promise<string> {
    if (!isLoopback(issuer))
      throw usageError(
        `--user works only with the development identity provider, and ${issuer} is not on this computer.`,
        'legate login <issuer>',
      );
    const answer = await io
      .fetch(`${new URL(issuer).origin}/admin/${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ user, client_id: DEVELOPMENT_CLIENT, ...body }),
        redirect: 'error',
        signal: io.signal,
      })
      .catch((cause: unknown) => {
        io.signal.throwIfAborted();
        throw unreachable(context, 'issuer', address, { cause });
      });
    const read: unknown = await answer.json().catch(() => undefined);
    const token = Object(read)[member];
    if (typeof token === 'string') return token;
    if (answer.status === 404)
      throw usageError(
        `The development identity provider has no ${unknown.what}.`,
        unknown.next ?? `legate whoami --user ${DEVELOPMENT_USER}`,
      );
    const { code, detail } = Object(read);
    if (code === 'access_tokens_own' && typeof detail === 'string')
      throw new CliError({
        exitCode: EXIT.denied,
        code,
        message: `${plain(detail)} So this user can use the hub, but not the management API.`,
        next: 'legate whoami --hub',
      });
    throw new CliError({
      exitCode: EXIT.unavailable,
      code: 'identity_provider_error',
      message: `The identity provider at ${issuer} issued no token (HTTP ${answer.status}). Is it the development identity provider?`,
      next: 'legate login <issuer>',
    });
  }
  return {
    idToken: () => mint('id-tokens', 'id_token', {}, { what: `user ${user}` }),
    /** @param next the command to type if the provider does not know the API; default: `legate whoami` */
    accessToken: (api: Address, next: string | undefined) =>
      mint(
        'access-tokens',
        'access_token',
        { resource: api.url },
        { what: `user ${user}, or no API at ${addressText(api)}`, next },
      ),
  };
}
