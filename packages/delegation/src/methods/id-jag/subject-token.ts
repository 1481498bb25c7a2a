import type { SubjectTokenType } from '@legate/identity-providers';
import { TOKEN_TYPE } from '@legate/oauth';
import type { Caller, ExchangeTokenLack } from '../../domain/caller.ts';
import type { Refusal } from '../../domain/delegation.ts';
import type { TokenAnswer, TokenReply } from '../../oauth-peers/token-request.ts';

/** `subject_token` and `subject_token_type` of a token exchange (RFC 8693 §2.1) */
export interface SubjectToken {
  readonly token: string;
  readonly tokenType: string;
}

const TOKEN_TYPES: Readonly<Record<SubjectTokenType, string>> = {
  id_token: TOKEN_TYPE.idToken,
  access_token: TOKEN_TYPE.accessToken,
  refresh_token: TOKEN_TYPE.refreshToken,
};

/** The response of the identity provider, or the reason why nothing was sent */
export type SubjectAnswer =
  | TokenAnswer
  | { readonly kind: 'not_presented'; readonly refusal: Exclude<Refusal, { outcome: 'denied' }> };

/**
 * Presents the token of a caller's sign-in that the identity provider exchanges. It is never replaced by another one: a
 * provider would answer in the same way as for a sign-in that has ended.
 * @param send sends the token once, and to the identity provider alone
 */
export async function presentSubject(
  { subjectToken, exchangeToken }: Pick<Caller, 'subjectToken' | 'exchangeToken'>,
  send: (subject: SubjectToken) => Promise<TokenReply>,
): Promise<SubjectAnswer> {
  const held = exchangeToken ?? { type: 'id_token' as const, token: subjectToken };
  const present = (token: string) => send({ token, tokenType: TOKEN_TYPES[held.type] });
  const reply = 'lend' in held ? await held.lend(present) : 'lack' in held ? held : await present(held.token);
  return 'lack' in reply
    ? { kind: 'not_presented', refusal: refusalOf(reply.lack, held.type) }
    : reply.answer;
}

function refusalOf(lack: ExchangeTokenLack, type: SubjectTokenType) {
  const name = type.replace('_', ' ');
  const needsSession = type === 'id_token' ? undefined : type;
  switch (lack) {
    case 'session':
      return {
        outcome: 'expired',
        needsSession,
        reason: `the identity provider exchanges the ${name} of a sign-in, and the hub has none`,
      } as const;
    case 'client':
      return {
        outcome: 'expired',
        needsSession,
        reason: `the ${name} belongs to another client than that of the hub`,
      } as const;
    case 'lost':
      return { outcome: 'expired', reason: `the response that replaced the ${name} was lost` } as const;
    case 'renewal':
    case 'turn':
      return {
        outcome: 'unavailable',
        by: 'idp',
        reason:
          lack === 'turn'
            ? `identity provider: other requests with the ${name} have taken too long`
            : `identity provider: the ${name} cannot be renewed`,
        retryable: false,
      } as const;
  }
}
