import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '@legate/dev';
import { createSigningKeys } from '@legate/jwt';

/** A private key for `SIGNING_KEYS`, which all replicas of a service share. */
export async function createSigningKey(alg: 'RS256' | 'ES256') {
  const keys = await createSigningKeys({ alg, clock: () => new Date() });
  const [key] = keys.privateJwks().keys;
  if (!key) throw new Error('no key was made');
  return key;
}

/** A JWKS for `SIGNING_KEYS`: the first key signs. */
export const jwksOf = (...keys: readonly object[]): string => JSON.stringify({ keys });

/** A file with the scene's organizations, on a plan whose limits no load reaches. */
export async function writeSeedWithoutLimits(directory: string): Promise<string> {
  const seed = JSON.parse(await readFile(`${ROOT}infra/development/organizations.json`, 'utf8'));
  for (const organization of seed.organizations)
    Object.assign(organization, { plan: 'custom', requests_per_minute: 1_000_000 });
  const path = join(directory, 'organizations.json');
  await writeFile(path, JSON.stringify(seed));
  return path;
}
