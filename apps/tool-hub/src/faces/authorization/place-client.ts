import type { AgentId } from '@legate/ids';
import { Problem } from '@legate/service';
import type { AgentOfClient } from '../../connectors/access.ts';
import type { OAuthClient } from '../../oauth-clients/oauth-client.ts';
import type { SignedInUser } from './interaction-store.ts';

/** The status of a client in the organization of a user */
export type Placement =
  /** The client may be used. `agentId`: the agent that it is; undefined: none */
  | { readonly kind: 'placed'; readonly agentId: AgentId | undefined }
  /** The user may not use the client; `code` of the problem */
  | { readonly kind: 'kept_out'; readonly code: string };

export type PlaceClient = (user: SignedInUser, client: OAuthClient) => Promise<Placement>;

export const createPlaceClient =
  (agentOf: AgentOfClient): PlaceClient =>
  async (user, client) => {
    const { organizationId } = client;
    if (organizationId !== undefined && organizationId !== user.organizationId)
      return { kind: 'kept_out', code: 'client_of_another_organization' };
    try {
      return { kind: 'placed', agentId: await agentOf(user, client) };
    } catch (err) {
      if (err instanceof Problem && err.status < 500) return { kind: 'kept_out', code: err.code };
      throw err;
    }
  };
