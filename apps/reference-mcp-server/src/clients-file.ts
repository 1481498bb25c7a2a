import { areClientsDistinct, checkClientMembers, clientMembers, secretHashesOf } from '@legate/oauth';
import type { ToolServerClient } from '@legate/tool-server';
import { z } from 'zod';

/** The content of CLIENTS_FILE: clients that may redeem ID-JAGs at this server. */
export const ClientsFile = z.strictObject({
  /** True for a file whose secrets are public; refused in production. */
  development: z.boolean().default(false),
  clients: z
    .array(z.strictObject(clientMembers).superRefine(checkClientMembers))
    .refine(areClientsDistinct, { error: 'must not name a client twice' }),
});
export type ClientsFile = z.output<typeof ClientsFile>;

/** @returns the clients with their secrets hashed, so that no secret stays in memory */
export function toClients(file: ClientsFile): ToolServerClient[] {
  return file.clients.map((client) => ({
    clientId: client.client_id,
    secretHashes: secretHashesOf(client),
    ...(client.jwks && { jwks: client.jwks }),
  }));
}
