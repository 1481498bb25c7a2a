import { createHash } from 'node:crypto';
import { epochSeconds } from '@legate/jwt';
import type { Backend } from '@legate/secure-store';
import type { Adapter, AdapterFactory, AdapterPayload, ClientMetadata } from './oidc-provider.ts';
import { errors } from './oidc-provider.ts';

/** Longer than the lifetime of anything that oidc-provider stores for us. */
const MAX_TTL_SECONDS = 30 * 86_400;
/** Models whose ids are the tokens themselves, so that neither key nor value may contain an id. */
const TOKENS: readonly string[] = ['AccessToken', 'AuthorizationCode', 'RefreshToken'] satisfies TokenModel[];
export type TokenModel = 'AccessToken' | 'AuthorizationCode' | 'RefreshToken';

/**
 * The state of oidc-provider on a key-value store: sessions, interactions, grants, codes and refresh tokens. Each
 * operation is one command on one key, with an expiry. Clients are not stored here: the service provides them through
 * `findClient`.
 */
export function createAdapterFactory(deps: {
  backend: Backend;
  /** Prefix of the keys of all entries */
  prefix: string;
  clock: () => Date;
  findClient: (clientId: string) => Promise<ClientMetadata | undefined>;
}): AdapterFactory {
  return (model) => (model === 'Client' ? clientAdapter(deps.findClient) : recordAdapter(model, deps));
}

function recordAdapter(
  model: string,
  deps: { backend: Backend; prefix: string; clock: () => Date },
): Adapter {
  const { backend, prefix, clock } = deps;
  const holdsToken = TOKENS.includes(model);
  const now = () => epochSeconds(clock());
  const recordKey = (id: string) => `${prefix}${model}:${digest(id)}`;
  const consumedKey = (id: string) => `${prefix}${model}:consumed:${digest(id)}`;
  const uidKey = (uid: string) => `${prefix}${model}:uid:${digest(uid)}`;
  const revokedKey = (grantId: string) => `${prefix}${model}:revoked:${digest(grantId)}`;

  async function find(id: string): Promise<AdapterPayload | undefined> {
    const stored = await backend.get(recordKey(id));
    if (!stored) return undefined;
    // Written by oidc-provider itself, through `upsert`
    const payload = JSON.parse(stored.toString('utf8')) as AdapterPayload;
    const [consumedAt, revoked] = await Promise.all([
      backend.get(consumedKey(id)),
      payload.grantId === undefined ? undefined : backend.get(revokedKey(payload.grantId)),
    ]);
    if (revoked) return undefined;
    return {
      ...payload,
      ...(holdsToken && { jti: id }),
      ...(consumedAt && { consumed: Number(consumedAt.toString()) }),
    };
  }

  return {
    find,
    async upsert(id, payload, expiresIn) {
      const ttlSeconds = Math.max(1, Math.min(expiresIn ?? MAX_TTL_SECONDS, MAX_TTL_SECONDS));
      const { jti, ...rest } = payload;
      const kept = holdsToken ? rest : { jti, ...rest };
      await backend.set(recordKey(id), Buffer.from(JSON.stringify(kept)), ttlSeconds);
      if (model === 'Session' && payload.uid !== undefined)
        await backend.set(uidKey(payload.uid), Buffer.from(id), ttlSeconds);
    },
    async findByUid(uid) {
      const id = await backend.get(uidKey(uid));
      return id && find(id.toString());
    },
    findByUserCode: async () => undefined, // the device flow is off
    /**
     * Lets only one of two concurrent redemptions succeed. oidc-provider itself reads first and consumes afterwards.
     */
    async consume(id) {
      const payload = await find(id);
      const ttlSeconds = Math.max(1, (payload?.exp ?? now() + MAX_TTL_SECONDS) - now());
      const first = await backend.add(consumedKey(id), Buffer.from(String(now())), ttlSeconds);
      if (!first) throw new errors.InvalidGrant('already used');
    },
    async destroy(id) {
      await backend.delete(recordKey(id));
    },
    /** Marks the grant as revoked. This avoids storing and iterating over a list of its tokens. */
    async revokeByGrantId(grantId) {
      await backend.set(revokedKey(grantId), Buffer.from('1'), MAX_TTL_SECONDS);
    },
  };
}

/** The data that oidc-provider has stored for a token. */
export interface StoredToken {
  readonly payload: AdapterPayload;
  /** True if the token was redeemed, or replaced by a successor. */
  readonly isConsumed: boolean;
}

/**
 * Reads stored tokens without oidc-provider, for code that must know the owner of a token before it passes the token
 * on, or after the grant has been revoked.
 */
export function createTokenReader(deps: { backend: Backend; prefix: string }) {
  const { backend, prefix } = deps;
  return async (model: TokenModel, token: string): Promise<StoredToken | undefined> => {
    const id = digest(token);
    const [stored, consumedAt] = await backend.getMany([
      `${prefix}${model}:${id}`,
      `${prefix}${model}:consumed:${id}`,
    ]);
    if (!stored) return undefined;
    const payload = JSON.parse(stored.toString('utf8')) as AdapterPayload; // written by oidc-provider, through `upsert`
    return { payload, isConsumed: consumedAt !== undefined };
  };
}

function clientAdapter(findClient: (clientId: string) => Promise<ClientMetadata | undefined>): Adapter {
  const readOnly = async () => {
    throw new Error('clients are registered by the service');
  };
  return {
    find: findClient,
    upsert: readOnly,
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    consume: readOnly,
    destroy: readOnly,
    revokeByGrantId: readOnly,
  };
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');
