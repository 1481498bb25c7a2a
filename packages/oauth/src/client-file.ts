import { keyFault } from '@legate/jwt';
import { z } from 'zod';
import { hashClientSecret } from './client-authentication.ts';

/** Two at a time: the old one and the new one, while a secret is being rotated. */
const MAX_SECRETS = 2;

/**
 * Enough for a key of each algorithm and its successor. Limited because each key is kept in memory and may be tried for
 * a signature.
 */
const MAX_KEYS = 10;

/**
 * Public keys only, because a private key does not belong in this file. At least one key must be usable; `keyFault`
 * finds the unusable ones.
 */
export const PublicJwks = z.object({
  keys: z
    .array(
      z
        .looseObject({ kty: z.string() })
        // `k` is the value of a symmetric key.
        .refine((jwk) => !('d' in jwk || 'k' in jwk), { error: 'must be a public key' }),
    )
    .min(1)
    .max(MAX_KEYS)
    .superRefine((keys, context) => {
      const faults = keys.map(keyFault);
      if (faults.includes(undefined)) return;
      const message = `must have a key that can be used: ${[...new Set(faults)].join('; ')}`;
      context.addIssue({ code: 'custom', message });
    }),
});

/** The members of a client in a configuration file; for `z.strictObject`, together with `checkClientMembers`. */
export const clientMembers = {
  client_id: z.string().min(1).max(255),
  /** Secrets in plain text, for development. */
  secrets: z.array(z.string().min(16)).optional(),
  /** SHA-256 in hexadecimal, as `printf %s "$secret" | sha256sum` prints it. */
  secret_hashes: z.array(z.string().regex(/^[0-9a-f]{64}$/)).optional(),
  jwks: PublicJwks.optional(),
} as const;

type ClientMembers = Readonly<z.output<z.ZodObject<typeof clientMembers>>>;

/** Requires at least one authentication method, and allows at most two secrets; a check for `superRefine`. */
export function checkClientMembers(client: ClientMembers, context: z.RefinementCtx): void {
  const { secrets = [], secret_hashes = [], jwks } = client;
  const count = secrets.length + secret_hashes.length;
  const refuse = (message: string) => context.addIssue({ code: 'custom', message });
  if (count > MAX_SECRETS) refuse(`must not have more than ${MAX_SECRETS} active secrets`);
  if (count === 0 && !jwks) refuse('must have a secret or a jwks');
}

/** Returns `RegisteredClient.secretHashes`, so that no secret stays in memory. */
export const secretHashesOf = ({ secrets = [], secret_hashes = [] }: ClientMembers): Buffer[] => [
  ...secrets.map(hashClientSecret),
  ...secret_hashes.map((hash) => Buffer.from(hash, 'hex')),
];

/** Returns true if all clients have different ids; a check for `refine` on a list of clients. */
export const areClientsDistinct = (clients: readonly { readonly client_id: string }[]): boolean =>
  new Set(clients.map(({ client_id }) => client_id)).size === clients.length;
