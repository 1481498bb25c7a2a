import { AgentId, OrganizationId } from '@legate/ids';
import { areClientsDistinct, checkClientMembers, clientMembers, secretHashesOf } from '@legate/oauth';
import { ConfigError, clientSecretFaults, readJsonFile } from '@legate/service';
import { normalizeRedirectUri, redirectTargetOf } from '@legate/service/outbound';
import { z } from 'zod';
import type { VerifyAssertionBy } from './client-assertions.ts';
import { type OAuthClient, toClientName } from './oauth-client.ts';

const Entry = z
  .strictObject({
    ...clientMembers,
    name: z.string().min(1).max(64),
    redirect_uris: z.array(z.string()).min(1).max(20),
    /** True for a client that cannot keep a secret: it is protected by PKCE alone. */
    public: z.boolean().default(false),
    organization_id: OrganizationId.optional(),
    agent_id: AgentId.optional(),
  })
  .superRefine((client, context) => {
    if (!client.public) checkClientMembers(client, context);
    else if (client.secrets || client.secret_hashes || client.jwks)
      context.addIssue({ code: 'custom', message: 'a public client has no secret and no jwks' });
    if (client.agent_id !== undefined && client.organization_id === undefined)
      context.addIssue({ code: 'custom', message: 'agent_id needs organization_id' });
  });

/** The file of clients that the operator registers. */
const ClientsFile = z.strictObject({
  /** True for a file whose secrets are public; refused in production. */
  development: z.boolean().default(false),
  clients: z.array(Entry).refine(areClientsDistinct, { error: 'must not name a client twice' }),
});

/** @throws {ConfigError} with every fault and its path in the file, and without values */
export function readClientsFile(
  path: string,
  options: { env: NodeJS.ProcessEnv; production: boolean; nativePrefixes: readonly string[] },
): readonly z.output<typeof Entry>[] {
  const file = readJsonFile(path, ClientsFile, options.env);
  if (file.development && options.production)
    throw new ConfigError([`${path}: a development configuration is refused in production`]);
  const faults = file.clients.flatMap(({ client_id, redirect_uris }) =>
    redirect_uris.every((uri) => redirectTargetOf(uri, options.nativePrefixes) !== undefined)
      ? []
      : [
          `${path}: client ${client_id}: a redirect URI is neither https, nor http on a loopback address, nor below an address in NATIVE_REDIRECT_SCHEMES`,
        ],
  );
  if (options.production) faults.push(...clientSecretFaults(path, file.clients));
  if (faults.length > 0) throw new ConfigError(faults);
  return file.clients;
}

export const registeredClients = (
  entries: readonly z.output<typeof Entry>[],
  verifyAssertionBy: VerifyAssertionBy,
): ReadonlyMap<string, OAuthClient> =>
  new Map(
    entries.map((entry) => [
      entry.client_id,
      {
        clientId: entry.client_id,
        name: toClientName(entry.name),
        redirectUris: entry.redirect_uris.map(normalizeRedirectUri),
        vouchedBy: { kind: 'operator' },
        secretHashes: secretHashesOf(entry),
        isPublic: entry.public,
        organizationId: entry.organization_id,
        agentId: entry.agent_id,
        ...(entry.jwks && { verifyAssertion: verifyAssertionBy(entry.client_id, entry.jwks) }),
      },
    ]),
  );
