import { randomUUID } from 'node:crypto';
import {
  type AuthorizationClient,
  type Connection,
  type Connections,
  checkTokens,
  connectionOwnerOf,
  type GrantAnswer,
  type GrantedTokens,
  revokeAt,
  withAdvice,
} from '@legate/delegation';
import { epochSeconds } from '@legate/jwt';
import type { Connector } from '../../domain/connector.ts';
import { PageFault } from '../pages/page-fault.ts';
import type { PendingConsent } from './pending-consents.ts';

/**
 * Checks and stores the tokens of a user's consent. Tokens that cannot be stored are revoked.
 * @throws {PageFault}
 */
export type KeepConsent = (
  client: AuthorizationClient,
  connector: Connector,
  consent: PendingConsent,
  answer: Exclude<GrantAnswer, { kind: 'declined' }>,
) => Promise<GrantedTokens>;

export function createKeepConsent(deps: {
  connections: Pick<Connections, 'create' | 'find'>;
  /** Records that users have connected accounts at the tool server of a connector. */
  noteUse: (connector: Connector) => Promise<void>;
  /** Maximum lifetime of a connection, after which the user must consent again */
  ttlSeconds: number;
  clock: () => Date;
}): KeepConsent {
  const { connections } = deps;

  return async (client, connector, consent, answer) => {
    const tokens = await tokensOf(client, connector, consent, answer);
    await keep(client, connector, consent, tokens);
    return tokens;
  };

  async function tokensOf(
    client: AuthorizationClient,
    { resource }: Connector,
    { scopes }: PendingConsent,
    answer: Exclude<GrantAnswer, { kind: 'declined' }>,
  ): Promise<GrantedTokens> {
    if (answer.kind === 'failed') {
      const { failure } = answer;
      if (failure.kind === 'refused') {
        const code = failure.error === 'invalid_grant' ? 'link_expired' : 'not_possible';
        throw new PageFault(code, `authorization server: ${withAdvice(failure.error)}`);
      }
      const code = failure.kind === 'unavailable' ? 'unavailable' : 'not_possible';
      throw new PageFault(code, `authorization server: ${failure.reason}`);
    }
    const { body } = answer;
    const tokens = checkTokens(body, { resource, scopes }, epochSeconds(deps.clock()));
    if (typeof tokens !== 'string') return tokens;
    await revokeAt(client, { accessToken: body.access_token, refreshToken: body.refresh_token });
    throw new PageFault('not_possible', `authorization server: ${tokens}`);
  }

  async function keep(
    client: AuthorizationClient,
    connector: Connector,
    { ticket, issuer }: PendingConsent,
    { accessToken, refreshToken, expiresAt, scopes }: GrantedTokens,
  ): Promise<void> {
    const { registration, epochs } = ticket;
    const endsAt = epochSeconds(deps.clock()) + deps.ttlSeconds;
    const connection: Connection = {
      id: randomUUID(),
      generation: 0,
      accessToken,
      expiresAt: Math.min(expiresAt ?? endsAt, endsAt),
      refreshToken,
      scopes,
      issuer,
      clientId: client.clientMetadata().client_id,
      registration,
      endsAt,
      epochs,
    };
    const owner = connectionOwnerOf(ticket, connector);
    try {
      await deps.noteUse(connector);
      await connections.create(owner, connection);
      // A revocation during the consent wins, regardless of the write order.
      if ((await connections.find(owner)).connection) return;
    } catch (cause) {
      await revokeAt(client, connection);
      throw new PageFault('unavailable', 'the tokens cannot be stored', { cause });
    }
    await revokeAt(client, connection);
    throw new PageFault('no_longer_allowed', 'revoked while the user consented');
  }
}
