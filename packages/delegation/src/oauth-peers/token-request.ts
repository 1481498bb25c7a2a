import { membersAtFault, shownUrl } from '@legate/oauth';
import { genericGrantRequest } from 'openid-client';
import { z } from 'zod';
import type { LentToken } from '../domain/caller.ts';
import type { PeerFailure } from './peer-failure.ts';
import { afterFailure } from './sent-token.ts';
import type { TokenClient } from './token-client.ts';

export type TokenAnswer = { readonly kind: 'answered'; readonly body: TokenResponse } | PeerFailure;

/** RFC 6749 §5.1 and RFC 8693 §2.2.1. `token_type` is in lower case. Further tokens of the response are left out. */
export const TokenResponse = z.object({
  access_token: z.string().min(1).max(65_536),
  token_type: z.string(),
  issued_token_type: z.string().optional(),
  expires_in: z.number().optional(),
  scope: z.string().optional(),
  resource: z.union([z.string(), z.array(z.string())]).optional(),
});
export type TokenResponse = z.output<typeof TokenResponse>;

/** A response to a request for a token, and the state of the token that was presented for it */
export interface TokenReply {
  readonly answer: TokenAnswer;
  readonly became: LentToken;
}

/** Requests a token. Never throws: the result is a response or a failure. */
export const requestToken = async (
  client: TokenClient,
  grantType: string,
  parameters: Record<string, string>,
): Promise<TokenAnswer> => (await presentForToken(client, grantType, parameters)).answer;

/** Requests a token for one that the response may replace. Never throws. */
export async function presentForToken(
  client: TokenClient,
  grantType: string,
  parameters: Record<string, string>,
): Promise<TokenReply> {
  try {
    const body = await genericGrantRequest(client, grantType, parameters);
    const parsed = TokenResponse.safeParse(body);
    const answer: TokenAnswer = parsed.success
      ? { kind: 'answered', body: parsed.data }
      : atTokenEndpoint(client, unusableMembers(parsed.error, body));
    return { answer, became: { kind: 'answered', next: body.refresh_token } };
  } catch (err) {
    const sent = afterFailure(err);
    return { answer: atTokenEndpoint(client, sent.failure), became: lentAfter(sent) };
  }
}

/** A response that cannot be read may have contained the next token, so the token counts as lost. */
const lentAfter = (sent: ReturnType<typeof afterFailure>): LentToken =>
  sent.kind === 'refused'
    ? { kind: 'refused', error: sent.error }
    : { kind: sent.kind === 'untouched' ? 'untouched' : 'lost' };

/** A token response of an invalid form */
export const unusableMembers = (error: z.ZodError, body: unknown): PeerFailure => ({
  kind: 'unusable',
  reason: `its token response is malformed: ${membersAtFault(error, body)}`,
});

/** Describes the origin of an unusable response. */
export function atTokenEndpoint(client: TokenClient, failure: PeerFailure): PeerFailure {
  const { token_endpoint: endpoint } = client.serverMetadata();
  return failure.kind === 'unusable' && endpoint !== undefined
    ? { ...failure, reason: `${failure.reason} (token endpoint ${shownUrl(endpoint)})` }
    : failure;
}
