import { membersAtFault, shownUrl } from '@legate/oauth';
import { genericGrantRequest } from 'openid-client';
import { z } from 'zod';
import { classifyFailure, type PeerFailure } from './peer-failure.ts';
import type { TokenClient } from './token-client.ts';

export type TokenAnswer = { readonly kind: 'answered'; readonly body: TokenResponse } | PeerFailure;

/** RFC 6749 §5.1 and RFC 8693 §2.2.1. `token_type` is in lower case. A refresh token is ignored. */
export const TokenResponse = z.object({
  access_token: z.string().min(1).max(65_536),
  token_type: z.string(),
  issued_token_type: z.string().optional(),
  expires_in: z.number().optional(),
  scope: z.string().optional(),
  resource: z.union([z.string(), z.array(z.string())]).optional(),
});
export type TokenResponse = z.output<typeof TokenResponse>;

/** Requests a token. Never throws: the result is a response or a failure. */
export async function requestToken(
  client: TokenClient,
  grantType: string,
  parameters: Record<string, string>,
): Promise<TokenAnswer> {
  try {
    const body = await genericGrantRequest(client, grantType, parameters);
    const parsed = TokenResponse.safeParse(body);
    return parsed.success
      ? { kind: 'answered', body: parsed.data }
      : atTokenEndpoint(client, unusableMembers(parsed.error, body));
  } catch (err) {
    return atTokenEndpoint(client, classifyFailure(err));
  }
}

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
