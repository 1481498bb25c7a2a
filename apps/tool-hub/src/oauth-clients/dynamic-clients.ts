import { type EncryptionKeys, open, seal, UnreadableEntry } from '@legate/secure-store';
import { usableRedirectUris } from '@legate/service/outbound';
import { z } from 'zod';
import { type OAuthClient, toClientName } from './oauth-client.ts';

const PREFIX = 'lcd_';
const SEALED_NAME = 'dynamicClient';
/** Maximum characters of an id, because it is part of the URL of an authorization request. */
const MAX_CLIENT_ID_LENGTH = 2048;
const GRANT_TYPES = ['authorization_code', 'refresh_token'];

const Metadata = z.object({
  redirect_uris: z.array(z.string()).min(1).max(20),
  client_name: z.unknown().optional(),
});
const Sealed = z.tuple([z.string().nullable(), z.array(z.string())]);

export type Registration =
  /** RFC 7591 §3.2.1 */
  | { readonly kind: 'registered'; readonly response: object }
  /** RFC 7591 §3.2.2 */
  | { readonly kind: 'refused'; readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata' };

/**
 * Registers clients dynamically (RFC 7591). The `client_id` is the encrypted registration. Nothing is stored, so
 * storage cannot be flooded and no client in use is deleted. The clients are public, and nobody vouches for them.
 */
export function createDynamicClients(deps: {
  keys: EncryptionKeys;
  nativePrefixes: readonly string[];
  clock: () => Date;
}) {
  const { keys, nativePrefixes } = deps;
  return {
    isDynamic: (clientId: string): boolean => clientId.startsWith(PREFIX),
    /** @param metadata RFC 7591 §2; members that this server does not use are ignored */
    register(metadata: unknown): Registration {
      const parsed = Metadata.safeParse(metadata);
      if (!parsed.success) {
        const isRedirect = parsed.error.issues.some(({ path }) => path[0] === 'redirect_uris');
        return { kind: 'refused', error: isRedirect ? 'invalid_redirect_uri' : 'invalid_client_metadata' };
      }
      const redirectUris = usableRedirectUris(parsed.data.redirect_uris, nativePrefixes);
      if (redirectUris.length === 0) return { kind: 'refused', error: 'invalid_redirect_uri' };
      const name = toClientName(parsed.data.client_name);
      const content = JSON.stringify([name ?? null, redirectUris] satisfies z.input<typeof Sealed>);
      const clientId = PREFIX + seal(keys, SEALED_NAME, content).toString('base64url');
      if (clientId.length > MAX_CLIENT_ID_LENGTH)
        return { kind: 'refused', error: 'invalid_client_metadata' };
      return {
        kind: 'registered',
        response: {
          client_id: clientId,
          client_id_issued_at: Math.floor(deps.clock().getTime() / 1000),
          ...(name !== undefined && { client_name: name }),
          redirect_uris: redirectUris,
          grant_types: GRANT_TYPES,
          response_types: ['code'],
          token_endpoint_auth_method: 'none',
        },
      };
    },
    /** @returns undefined for an id that is not ours, or was encrypted with a key that no longer exists */
    find(clientId: string): OAuthClient | undefined {
      if (!clientId.startsWith(PREFIX) || clientId.length > MAX_CLIENT_ID_LENGTH) return undefined;
      try {
        const bytes = Buffer.from(clientId.slice(PREFIX.length), 'base64url');
        if (PREFIX + bytes.toString('base64url') !== clientId) return undefined; // accepts only one spelling of an id
        const [name, sealed] = Sealed.parse(JSON.parse(open(keys, SEALED_NAME, bytes).plaintext));
        const redirectUris = usableRedirectUris(sealed, nativePrefixes); // the operator may have removed some since
        if (redirectUris.length === 0) return undefined;
        return {
          clientId,
          name: name ?? undefined,
          redirectUris,
          vouchedBy: { kind: 'nobody' },
          secretHashes: [],
          isPublic: true,
        };
      } catch (err) {
        if (err instanceof UnreadableEntry || err instanceof z.ZodError) return undefined;
        throw err;
      }
    },
  };
}
