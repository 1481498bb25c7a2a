import { readFile, writeFile } from 'node:fs/promises';
import type { ProviderKind } from '@legate/identity-providers';
import { createSigningKeys } from '@legate/jwt';
import { IDP_CLIENTS } from '../scene/scene.ts';

/**
 * True if the hub authenticates by a key of its own at an imitated provider of this kind: the one at which agents
 * register keys, and no certificate.
 */
export const hasHubKey = ({ assertionAlgorithms, assertionAudience }: ProviderKind): boolean =>
  assertionAudience === 'token_endpoint' && assertionAlgorithms[0] === 'RS256';

/**
 * Makes a key for the hub, and copies the directory of mock-idp with the public key in the place of the hub's secret.
 * @param paths.from the directory
 * @param paths.directory the copy
 */
export async function writeHubKey(paths: { from: string; directory: string; keys: string }): Promise<void> {
  const keys = await createSigningKeys({ alg: 'RS256', clock: () => new Date() });
  await writeFile(paths.keys, JSON.stringify(keys.privateJwks()), { mode: 0o600 });
  const directory: { clients: { client_id: string }[] } = JSON.parse(await readFile(paths.from, 'utf8'));
  const clients = directory.clients.map((client) =>
    client.client_id === IDP_CLIENTS.hub.id
      ? { ...client, client_secrets: [], jwks: keys.publicJwks() }
      : client,
  );
  await writeFile(paths.directory, JSON.stringify({ ...directory, clients }, null, 2));
}
