import { hash } from 'node:crypto';
import { clientDocumentUrl, PublicJwks } from '@legate/oauth';
import type { StrangerBudget } from '@legate/rate-limit';
import type { SecureStore } from '@legate/secure-store';
import { usableRedirectUris } from '@legate/service/outbound';
import { createSingleFlight } from '@legate/single-flight';
import { z } from 'zod';
import type { VerifyAssertionBy } from './client-assertions.ts';
import { createDocumentReads } from './document-reads.ts';
import { ClientUnavailable, type ClientUse, type OAuthClient, toClientName } from './oauth-client.ts';

const MIN_CACHE_SECONDS = 300;
const MAX_CACHE_SECONDS = 86_400;
/** Seconds for which a document is kept in case its host is down: as long as a session of its client may live */
const KEPT_SECONDS = 30 * 86_400;
/**
 * Seconds for which a document is kept before a user allows its client, so that documents requested by strangers do not
 * accumulate
 */
const KEPT_UNUSED_SECONDS = MAX_CACHE_SECONDS;
/** Statuses after which the same request may succeed later (RFC 9110 §15.5, RFC 6585 §4) */
const AWAY = new Set([408, 425, 429]);

/** A document as in draft-ietf-oauth-client-id-metadata-document §4; other members are ignored. */
const Document = z
  .looseObject({
    client_id: z.string(),
    client_name: z.string().min(1),
    redirect_uris: z.array(z.string()).min(1).max(20),
    token_endpoint_auth_method: z.enum(['none', 'private_key_jwt']).default('none'),
    jwks: PublicJwks.optional(),
  })
  .refine((document) => !('client_secret' in document), { error: 'must not contain a secret' })
  .refine((document) => document.token_endpoint_auth_method === 'none' || document.jwks, {
    error: 'needs jwks',
  });

/** The cached form of a document; times in epoch seconds */
const Kept = z.object({
  name: z.string().optional(),
  redirectUris: z.array(z.string()).min(1),
  jwks: PublicJwks.optional(),
  freshUntil: z.number(),
  /** True if a user has allowed the client. */
  isUsed: z.boolean().default(false),
});
type Kept = z.output<typeof Kept>;

/**
 * Finds clients that a document at their own `client_id` describes. Anybody can name any URL, so reads are limited:
 * `fetch` must follow no redirect and reach only public addresses.
 */
export function createClientDocuments(deps: {
  fetch: typeof globalThis.fetch;
  store: SecureStore;
  nativePrefixes: readonly string[];
  /** Hosts of documents that the operator allows. Undefined: any host */
  hosts: readonly string[] | undefined;
  verifyAssertionBy: VerifyAssertionBy;
  /** Called with the reason for a document that describes no valid client */
  onUnusable?: (clientId: string, reason: string) => void;
  /** Limits which unknown documents the hub reads for strangers */
  budget: StrangerBudget;
  clock: () => Date;
}) {
  const { store, nativePrefixes, hosts } = deps;
  const flights = createSingleFlight<Kept | undefined>();
  const now = () => Math.floor(deps.clock().getTime() / 1000);
  const nameOf = (clientId: string) => `as:document:${hash('sha256', clientId, 'base64url')}`;
  const reads = createDocumentReads(deps.clock);

  const keep = (clientId: string, kept: Kept) =>
    store.set(nameOf(clientId), JSON.stringify(kept), kept.isUsed ? KEPT_SECONDS : KEPT_UNUSED_SECONDS);

  async function read(clientId: string, isUsed: boolean): Promise<Kept | undefined> {
    const answer = await deps.fetch(clientId, { headers: { Accept: 'application/json' } });
    if (answer.status >= 500 || AWAY.has(answer.status)) throw new Error(`status ${answer.status}`);
    const unusable = (reason: string) => void deps.onUnusable?.(clientId, reason);
    if (answer.status !== 200) return unusable(`status ${answer.status}`);
    const parsed = Document.safeParse(await answer.json().catch(() => undefined));
    if (!parsed.success) return unusable(faultOf(parsed.error));
    if (parsed.data.client_id !== clientId) return unusable('client_id: must be the URL of the document');
    const { client_name, redirect_uris, jwks, token_endpoint_auth_method } = parsed.data;
    const redirectUris = usableRedirectUris(redirect_uris, nativePrefixes);
    if (redirectUris.length === 0) return unusable('redirect_uris: none can be used here');
    const kept: Kept = {
      name: toClientName(client_name),
      redirectUris,
      ...(token_endpoint_auth_method === 'private_key_jwt' && { jwks }),
      freshUntil: now() + freshSecondsOf(answer.headers),
      isUsed,
    };
    await keep(clientId, kept);
    return kept;
  }

  async function lastKnown(clientId: string): Promise<Kept | undefined> {
    const [text] = await store.getMany([nameOf(clientId)]);
    return typeof text === 'string' ? Kept.safeParse(JSON.parse(text)).data : undefined;
  }

  /**
   * Checks if an unknown document may be read. A client with a code or token has been through an authorization at this
   * hub; no other client makes the token endpoint read an unknown document.
   * @throws {ClientUnavailable}
   */
  async function mayRead(clientId: string, use: ClientUse): Promise<boolean> {
    if (use.kind === 'token' && use.asker) return use.asker.hasGrant(clientId);
    if (use.kind === 'authorization' && deps.budget.take({ address: use.address }).seconds > 0)
      throw new ClientUnavailable('too many new documents are being fetched');
    return true;
  }

  async function load(clientId: string, use: ClientUse): Promise<Kept | undefined> {
    const known = await lastKnown(clientId);
    const isUsed = use.kind === 'session' || known?.isUsed === true;
    if (known && isUsed && !known.isUsed) await keep(clientId, { ...known, isUsed });
    if (known && known.freshUntil > now()) return known;
    if (!known && !(await mayRead(clientId, use))) return undefined;
    try {
      return await flights.run(clientId, clientId, () => {
        reads.count(clientId);
        return read(clientId, isUsed);
      });
    } catch (cause) {
      if (known && use.kind !== 'authorization') return known;
      throw cause instanceof ClientUnavailable
        ? cause
        : new ClientUnavailable('its document cannot be fetched', { cause });
    }
  }

  return {
    /**
     * @returns undefined if the id is not the URL of a document, or the document is unusable
     * @throws {ClientUnavailable}
     */
    async find(clientId: string, use: ClientUse): Promise<OAuthClient | undefined> {
      const url = clientDocumentUrl(clientId);
      if (!url || (hosts && !hosts.includes(url.host))) return undefined;
      const kept = await load(clientId, use);
      if (!kept) return undefined;
      const { name, jwks } = kept;
      const redirectUris = usableRedirectUris(kept.redirectUris, nativePrefixes); // the operator may have removed some
      return {
        clientId,
        name,
        redirectUris,
        vouchedBy: { kind: 'document', digest: digestOf(kept) },
        secretHashes: [],
        isPublic: jwks === undefined,
        ...(jwks && { verifyAssertion: deps.verifyAssertionBy(clientId, jwks) }),
      };
    },
  };
}

/** Returns the invalid member and what it must be, without its value */
function faultOf({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join('.') || 'document'}: ${issue?.message}`;
}

/** Returns for how many seconds a response is fresh (RFC 9111 §4.2.1, §4.2.3) */
function freshSecondsOf(headers: Headers): number {
  const control = headers.get('cache-control') ?? '';
  const maxAge = /no-store|no-cache/i.test(control)
    ? 0
    : Number(/max-age=(\d{1,9})/i.exec(control)?.[1] ?? 0);
  const age = /^\d{1,9}$/.test(headers.get('age') ?? '') ? Number(headers.get('age')) : 0;
  return Math.min(Math.max(maxAge - age, MIN_CACHE_SECONDS), MAX_CACHE_SECONDS);
}

const digestOf = ({ name, redirectUris, jwks }: Kept): string =>
  hash('sha256', JSON.stringify([name, redirectUris, jwks ?? null]), 'base64url');
