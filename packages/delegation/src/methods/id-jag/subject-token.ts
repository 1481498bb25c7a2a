import type { SubjectTokenType } from '@legate/identity-providers';
import { TOKEN_TYPE } from '@legate/oauth';
import type { Caller, ExchangeTokenLack } from '../../domain/caller.ts';
import type { Refusal } from '../../domain/delegation.ts';

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

export type FoundSubjectToken =
  | { readonly kind: 'found'; readonly subject: SubjectToken }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Returns the token of a caller's sign-in that is presented to the identity provider. */
export function subjectTokenOf({
  subjectToken,
  exchangeToken,
}: Pick<Caller, 'subjectToken' | 'exchangeToken'>): FoundSubjectToken {
  const held = exchangeToken ?? { type: 'id_token' as const, token: subjectToken };
  if ('lack' in held) return { kind: 'refused', refusal: refusalOf(held.lack, held.type) };
  return { kind: 'found', subject: { token: held.token, tokenType: TOKEN_TYPES[held.type] } };
}

function refusalOf(lack: ExchangeTokenLack, type: SubjectTokenType): Refusal {
  const name = type.replace('_', ' ');
  switch (lack) {
    case 'session':
      return {
        outcome: 'expired',
        needsSession: true,
        reason: `the identity provider exchanges the ${name} of a sign-in, and the hub has none`,
      };
    case 'renewal':
      return {
        outcome: 'unavailable',
        by: 'idp',
        reason: `identity provider: the ${name} cannot be renewed`,
        retryable: false,
      };
    case 'rotation':
      return {
        outcome: 'misconfigured',
        by: 'idp',
        reason: 'the identity provider rotates refresh tokens, so they cannot be exchanged',
      };
    case 'client':
      return {
        outcome: 'misconfigured',
        by: 'idp',
        reason: 'the refresh token belongs to another client than that of the hub',
      };
  }
}
