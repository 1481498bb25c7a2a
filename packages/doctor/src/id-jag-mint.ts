import { z } from 'zod';
import { json } from './reports/answers.ts';
import { FAULTS, faultOf } from './reports/probe.ts';
import { shown } from './reports/report.ts';

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
  /** Advice how to fix it */
  readonly remedy: string;

  constructor(message: string, remedy: string, options?: { cause?: unknown }) {
    super(message, options);
    this.remedy = remedy;
  }
}

const Minted = z.object({ id_jag: z.string() });
const Problem = z.object({ code: z.string() });

const ISSUER = 'Check --issuer: the address of a mock-idp that is running.';
const REMEDIES: Readonly<Record<number, string>> = {
  401: 'Set IDP_ADMIN_KEY to the key of its admin API.',
  404: 'Check --user, who must be one of its users, and --issuer, which must be a mock-idp.',
};

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
  const post = async (body: object) => {
    try {
      const answer = await fetch(`${issuer}/admin/id-jags`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${adminKey}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: answer.status, body: json(await answer.text()) };
    } catch (cause) {
      const { fault, code } = faultOf(cause);
      throw new MintFailed(`${shown(issuer)} ${FAULTS[fault][0]} (${code})`, ISSUER, { cause });
    }
  };
  return async ({ resource, audience, clientId, scopes, expiresInSeconds, typ }) => {
    const { status, body } = await post({
      ...{ user, resource, audience, client_id: clientId, scopes },
      ...(expiresInSeconds !== undefined && { expires_in: expiresInSeconds }),
      ...(typ !== undefined && { typ }),
    });
    const minted = Minted.safeParse(body);
    if (status === 201 && minted.success) return minted.data.id_jag;
    const code = Problem.safeParse(body).data?.code;
    const said = code === undefined ? String(status) : `${status} ${shown(code)}`;
    throw new MintFailed(`${shown(issuer)} responds with ${said}`, REMEDIES[status] ?? ISSUER);
  };
}
