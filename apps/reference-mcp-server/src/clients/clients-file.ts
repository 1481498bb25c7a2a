import { hashClientSecret } from '@legate/oauth';
import type { ToolServerClient } from '@legate/tool-server';
import { z } from 'zod';

/** Two at a time: the old one and the new one, while a secret is being rotated. */
const MAX_SECRETS = 2;

/** Public keys only: a private one in this file would be a secret in the wrong place. */
const PublicJwks = z.object({
  keys: z
    .array(
      z
        .looseObject({ kty: z.enum(['EC', 'RSA', 'OKP']) })
        .refine((jwk) => !('d' in jwk), { error: 'must be a public key' }),
    )
    .min(1),
});

const Client = z
  .strictObject({
    client_id: z.string().min(1).max(255),
    /** In the clear; for development. */
    secrets: z.array(z.string().min(16)).optional(),
    /** SHA-256 in hexadecimal, as `printf %s "$secret" | sha256sum` prints it. */
    secret_hashes: z.array(z.string().regex(/^[0-9a-f]{64}$/)).optional(),
    jwks: PublicJwks.optional(),
  })
  .refine(({ secrets = [], secret_hashes = [] }) => secrets.length + secret_hashes.length <= MAX_SECRETS, {
    error: `must not have more than ${MAX_SECRETS} active secrets`,
  })
  .refine(({ secrets, secret_hashes, jwks }) => secrets?.length || secret_hashes?.length || jwks, {
    error: 'must have a secret or a jwks',
  });

/** The clients that may redeem ID-JAGs here: CLIENTS_FILE. */
export const ClientsFile = z.strictObject({
  /** True for a file whose secrets are public; refused in production. */
  development: z.boolean().default(false),
  clients: z
    .array(Client)
    .refine((clients) => new Set(clients.map(({ client_id }) => client_id)).size === clients.length, {
      error: 'must not name a client twice',
    }),
});
export type ClientsFile = z.output<typeof ClientsFile>;

/** @returns the clients with their secrets hashed, so that no secret stays in memory */
export function toClients(file: ClientsFile): ToolServerClient[] {
  return file.clients.map(({ client_id, secrets = [], secret_hashes = [], jwks }) => ({
    clientId: client_id,
    secretHashes: [
      ...secrets.map(hashClientSecret),
      ...secret_hashes.map((hash) => Buffer.from(hash, 'hex')),
    ],
    ...(jwks && { jwks }),
  }));
}
