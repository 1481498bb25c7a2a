import { z } from 'zod';

/** An ID-JAG to mint. Absent members get the values that a token exchange would give them. */
export interface IdJagOrder {
  readonly resource: string;
  readonly audience: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly expiresInSeconds?: number;
  readonly typ?: string;
}
export type MintIdJag = (order: IdJagOrder) => Promise<string>;

/** The identity provider did not mint an ID-JAG. */
export class MintFailed extends Error {
  override readonly name = 'MintFailed';
}

const Minted = z.object({ id_jag: z.string() });

/**
 * Mints valid and invalid ID-JAGs at a development identity provider: `POST {issuer}/admin/id-jags` of mock-idp.
 * @param options.adminKey key of its admin API
 * @param options.user user id or e-mail address there
 * @throws {MintFailed}
 */
export function createIdJagMint(options: {
  issuer: string;
  adminKey: string;
  user: string;
  fetch: typeof globalThis.fetch;
}): MintIdJag {
  const { issuer, adminKey, user, fetch } = options;
  return async ({ resource, audience, clientId, scopes, expiresInSeconds, typ }) => {
    try {
      const answer = await fetch(`${issuer}/admin/id-jags`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${adminKey}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          ...{ user, resource, audience, client_id: clientId, scopes },
          ...(expiresInSeconds !== undefined && { expires_in: expiresInSeconds }),
          ...(typ !== undefined && { typ }),
        }),
      });
      if (answer.status !== 201) throw new MintFailed(`it responded with status ${answer.status}`);
      return Minted.parse(await answer.json()).id_jag;
    } catch (err) {
      if (err instanceof MintFailed) throw err;
      throw new MintFailed('it cannot be reached, or its response is malformed', { cause: err });
    }
  };
}
