import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CliError, usageError } from '../command-line/cli-error.ts';
import { EXIT } from '../command-line/exit-codes.ts';

/** The data that `legate login` stores about a sign-in. */
export interface Profile {
  readonly issuer: string;
  readonly clientId: string;
  readonly hub?: string;
  /** URL of the management API, if this sign-in includes an access token for it */
  readonly api?: string;
  readonly idToken: string;
  readonly accessToken?: string;
  readonly refreshToken?: string;
}

export const DEFAULT_PROFILE = 'default';
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const LOCK_WAIT_MS = 50;
const LOCK_TRIES = 300;
/** Milliseconds after which a process that renews a token has finished or died. */
const LOCK_STALE_MS = 15_000;

/** @throws {CliError} for an invalid name, such as a path */
export function profilePath(env: NodeJS.ProcessEnv, name: string): string {
  if (!NAME.test(name)) throw usageError(`${name} is not a valid profile name.`, 'legate login --help');
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'legate', `${name}.json`);
}

/**
 * Reads a profile.
 * @returns undefined if there is none
 * @throws {CliError} if others may read the file, or its content is invalid
 */
export async function readProfile(path: string): Promise<Profile | undefined> {
  let content: string;
  try {
    const { mode } = await stat(path);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw unusable(
        `${path} contains tokens, and other users can read it.`,
        `chmod 600 ${path}`,
        'profile_readable',
      );
    content = await readFile(path, 'utf8');
  } catch (err) {
    if (isCode(err, 'ENOENT')) return undefined;
    throw err;
  }
  const profile = parseProfile(content);
  if (!profile) throw unusable(`${path} is not a profile.`, 'legate login', 'profile_unreadable');
  return profile;
}

/** Writes a profile that only its owner can read. The write is atomic: a reader sees the old profile or the new one. */
export async function writeProfile(path: string, profile: Profile): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const unfinished = `${path}.${randomUUID()}`;
  const file = await open(unfinished, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(profile, undefined, 2)}\n`);
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
}

/** Runs `work` under a lock across processes, because a refresh token can be redeemed only once. */
export async function locked<Result>(
  path: string,
  wait: (ms: number) => Promise<void>,
  work: () => Promise<Result>,
): Promise<Result> {
  const lock = `${path}.lock`;
  for (let tries = 0; ; tries += 1) {
    try {
      await (await open(lock, 'wx', 0o600)).close();
      break;
    } catch (err) {
      if (!isCode(err, 'EEXIST') || tries >= LOCK_TRIES) throw err;
      const since = await stat(lock).catch(() => undefined);
      if (since && Date.now() - since.mtimeMs > LOCK_STALE_MS) await rm(lock, { force: true });
      else await wait(LOCK_WAIT_MS);
    }
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

function parseProfile(content: string): Profile | undefined {
  let read: unknown;
  try {
    read = JSON.parse(content);
  } catch {
    return undefined;
  }
  if (typeof read !== 'object' || read === null) return undefined;
  const { issuer, clientId, hub, api, idToken, accessToken, refreshToken } = read as Record<string, unknown>;
  const isOptionalText = (value: unknown): value is string | undefined =>
    value === undefined || typeof value === 'string';
  if (typeof issuer !== 'string' || typeof clientId !== 'string' || typeof idToken !== 'string')
    return undefined;
  if (![hub, api, accessToken, refreshToken].every(isOptionalText)) return undefined;
  return read as Profile;
}

const unusable = (message: string, next: string, code: string): CliError =>
  new CliError({ exitCode: EXIT.signIn, code, message, next });

const isCode = (err: unknown, code: string): boolean =>
  err instanceof Error && 'code' in err && err.code === code;
