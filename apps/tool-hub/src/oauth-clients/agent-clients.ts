import { type AgentClientRecord, isAgentClientId } from '@legate/management-contract';
import type { StrangerBudget } from '@legate/rate-limit';
import { normalizeRedirectUri } from '@legate/service/outbound';
import { createSingleFlight } from '@legate/single-flight';
import { createLatest } from '../domain/latest.ts';
import type { VerifyAssertionBy } from './client-assertions.ts';
import { ClientUnavailable, type ClientUse, type OAuthClient, toClientName } from './oauth-client.ts';

const FRESH_MS = 30_000;
/** Milliseconds for which authorizations may start with a cached client while management-api gives no response */
const KEPT_MS = 300_000;
/** Milliseconds for which a missing client is cached: short, because somebody may have just registered it. */
const ABSENT_FRESH_MS = 5000;
const MAX_KNOWN = 1000;
const MAX_ABSENT = 1000;

/** @throws {Error} if there is no response, or an invalid one */
export type FetchAgentClient = (clientId: string) => Promise<AgentClientRecord | undefined>;

/** Looks up clients that organizations registered for their agents at management-api. */
export function createAgentClients(deps: {
  fetchAgentClient: FetchAgentClient;
  verifyAssertionBy: VerifyAssertionBy;
  /** Limits the requests that strangers can cause */
  budget: StrangerBudget;
  clock: () => Date;
}) {
  const now = (): number => deps.clock().getTime();
  const known = createLatest<{ readonly client: OAuthClient; readonly freshUntilMs: number }>(MAX_KNOWN);
  /**
   * Missing clients, cached separately so that made-up ids do not displace known clients: id → epoch milliseconds until
   * which it is not requested
   */
  const absent = createLatest<number>(MAX_ABSENT);
  const flights = createSingleFlight<OAuthClient | undefined>();

  async function read(clientId: string): Promise<OAuthClient | undefined> {
    const record = await deps.fetchAgentClient(clientId);
    if (!record) {
      known.delete(clientId);
      absent.set(clientId, now() + ABSENT_FRESH_MS);
      return undefined;
    }
    const client = toOAuthClient(record, deps.verifyAssertionBy);
    known.set(clientId, { client, freshUntilMs: now() + FRESH_MS });
    return client;
  }

  /** @throws {ClientUnavailable} */
  async function takeTurn(clientId: string, use: ClientUse): Promise<void> {
    const asker = use.kind === 'authorization' ? use : use.kind === 'token' ? use.asker : undefined;
    if (!asker || ('hasGrant' in asker && (await asker.hasGrant(clientId)))) return;
    if (deps.budget.take({ address: asker.address, items: [use.kind] }).seconds > 0)
      throw new ClientUnavailable('too many unknown clients are being looked up');
  }

  return {
    /**
     * @returns undefined for an id of another form, and for a client that does not exist
     * @throws {ClientUnavailable} while management-api gives no response. A cached client gets tokens, and may start
     * authorizations for some minutes.
     */
    async find(clientId: string, use: ClientUse): Promise<OAuthClient | undefined> {
      if (!isAgentClientId(clientId) || (absent.get(clientId) ?? 0) > now()) return undefined;
      const last = known.get(clientId);
      if (last && last.freshUntilMs > now()) return last.client;
      if (!last) await takeTurn(clientId, use);
      try {
        return await flights.run(clientId, clientId, () => read(clientId));
      } catch (cause) {
        if (last && (use.kind !== 'authorization' || last.freshUntilMs + KEPT_MS > now())) return last.client;
        throw new ClientUnavailable('its registration cannot be read', { cause });
      }
    },
  };
}

const toOAuthClient = (record: AgentClientRecord, verifyAssertionBy: VerifyAssertionBy): OAuthClient => ({
  clientId: record.client_id,
  name: toClientName(record.name),
  redirectUris: record.redirect_uris.map(normalizeRedirectUri),
  vouchedBy: { kind: 'organization' },
  secretHashes: record.secret_hashes.map((hash) => Buffer.from(hash, 'hex')),
  isPublic: record.token_endpoint_auth_method === 'none',
  organizationId: record.organization_id,
  agentId: record.agent_id,
  ...(record.jwks && { verifyAssertion: verifyAssertionBy(record.client_id, record.jwks) }),
});
