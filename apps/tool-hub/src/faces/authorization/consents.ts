import { hash } from 'node:crypto';
import type { AgentId } from '@legate/ids';
import type { SecureStore } from '@legate/secure-store';
import { formActionOf, redirectHostOf } from '@legate/service/outbound';
import { z } from 'zod';
import type { OAuthClient } from '../../oauth-clients/oauth-client.ts';
import type { SignedInUser } from './interaction-store.ts';

/** An authorization that a user was asked to allow */
export interface ConsentRequest {
  readonly user: SignedInUser;
  readonly client: OAuthClient;
  /** The agent that the client is in the user's organization; undefined: none */
  readonly agentId: AgentId | undefined;
  readonly resource: string;
  readonly redirectUri: string;
}

const Remembered = z.object({
  resources: z.array(z.string()),
  redirectOrigins: z.array(z.string()),
  digest: z.string(),
});

const KEPT_SECONDS = 180 * 86_400;

export type Consents = ReturnType<typeof createConsents>;

/**
 * Remembers what users have allowed clients to do. This is used only for clients that somebody vouches for and that
 * have an https redirect URI. Programs on a computer cannot be distinguished (RFC 8252 §8.6), so for them the user is
 * always asked.
 */
export function createConsents(store: SecureStore) {
  const nameOf = (user: Pick<SignedInUser, 'organizationId' | 'userId'>, clientId: string) =>
    `as:consent:${hash('sha256', JSON.stringify([user.organizationId, user.userId, clientId]), 'base64url')}`;
  const isLasting = ({ client, redirectUri }: ConsentRequest): boolean =>
    client.vouchedBy.kind !== 'nobody' && redirectHostOf(redirectUri) !== undefined;

  async function find(request: ConsentRequest) {
    const [text] = await store.getMany([nameOf(request.user, request.client.clientId)]);
    const parsed = typeof text === 'string' ? Remembered.safeParse(JSON.parse(text)).data : undefined;
    return parsed?.digest === digestOf(request) ? parsed : undefined;
  }

  return {
    async isRemembered(request: ConsentRequest): Promise<boolean> {
      if (!isLasting(request)) return false;
      const given = await find(request);
      return (
        given?.resources.includes(request.resource) === true &&
        given.redirectOrigins.includes(formActionOf(request.redirectUri))
      );
    },
    async remember(request: ConsentRequest): Promise<void> {
      if (!isLasting(request)) return;
      const given = await find(request);
      const consent: z.output<typeof Remembered> = {
        resources: [...new Set([...(given?.resources ?? []), request.resource])].slice(-MAX_ENTRIES),
        redirectOrigins: [
          ...new Set([...(given?.redirectOrigins ?? []), formActionOf(request.redirectUri)]),
        ].slice(-MAX_ENTRIES),
        digest: digestOf(request),
      };
      await store.set(nameOf(request.user, request.client.clientId), JSON.stringify(consent), KEPT_SECONDS);
    },
    /** @returns false if nothing was remembered */
    forget: (user: Pick<SignedInUser, 'organizationId' | 'userId'>, clientId: string): Promise<boolean> =>
      store.delete(nameOf(user, clientId)),
  };
}

const MAX_ENTRIES = 50;

/** Identifies a client in a consent: one that changes, or becomes another agent, counts as another client. */
function digestOf({ client, agentId }: Pick<ConsentRequest, 'client' | 'agentId'>): string {
  const { vouchedBy, redirectUris, name } = client;
  const content = vouchedBy.kind === 'document' ? [vouchedBy.digest] : [name, redirectUris];
  return hash('sha256', JSON.stringify([...content, agentId ?? null]), 'base64url');
}
