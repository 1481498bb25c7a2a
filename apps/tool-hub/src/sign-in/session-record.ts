import { hash, randomBytes, randomUUID } from 'node:crypto';
import { AgentId, OrganizationId, UserId } from '@legate/ids';
import { UnreadableEntry } from '@legate/secure-store';
import { z } from 'zod';
import { Slot } from './session-slots.ts';

/** Format of a session's handle, which no other credential of a caller has */
export const HANDLE = /^lhs_[A-Za-z0-9_-]{43}$/;

/**
 * Creates a handle of 256 random bits. The prefix distinguishes it from an ID token, and helps scanners to find leaked
 * secrets.
 */
export const createHandle = (): string => `lhs_${randomBytes(32).toString('base64url')}`;

/** Returns the storage key of a session, which does not reveal its handle. */
export const sessionKey = (handle: string): string => `session:${hash('sha256', handle, 'base64url')}`;

/** What a user has allowed a client of the hub's authorization server */
export const ClientGrant = z.object({
  clientId: z.string(),
  clientName: z.string().optional(),
  /** Resource identifier of the URL at which its tokens are valid (RFC 8707) */
  resource: z.string(),
});
export type ClientGrant = z.output<typeof ClientGrant>;

/** An access token of the sign-in, kept only if the identity provider exchanges access tokens; times in epoch seconds */
export const SealedAccess = z.object({
  token: z.string(),
  renewAt: z.number(),
  /** Absent in records of earlier versions: the token is not used after `renewAt`. */
  expiresAt: z.number().optional(),
});
export type SealedAccess = z.output<typeof SealedAccess>;

/** The `claims` that the sign-in of a session was made for (step-ups.ts) */
const ClaimsMet = z.object({ fingerprint: z.string(), until: z.number() });

/** The stored data of a session, encrypted; times in epoch seconds. */
const SessionRecord = z.object({
  userId: UserId,
  organizationId: OrganizationId,
  /** Client to which the refresh token was issued */
  clientId: z.string(),
  sid: z.string().optional(),
  idToken: z.string(),
  idTokenIssuedAt: z.number(),
  idTokenExpiresAt: z.number(),
  /** Claims of the ID token that opened the session, which later ones must repeat (OpenID Connect Core §12.2) */
  original: z.object({
    iss: z.string(),
    /** Absent: the user's id */
    sub: z.string().optional(),
    aud: z.array(z.string()),
    azp: z.string().optional(),
    nonce: z.string().optional(),
    authTime: z.number().optional(),
  }),
  /** Absent: the session ends with its ID token. */
  refreshToken: z.string().optional(),
  /** The provider answered a refresh without an ID token, so the session ends with the one it has. */
  hasLastIdToken: z.boolean().optional(),
  /** It is known that the refresh token belongs to the user (exchange-token.ts). */
  isProven: z.boolean().optional(),
  access: SealedAccess.optional(),
  claimsMet: ClaimsMet.optional(),
  /** Set before the refresh token is sent, and removed with the response: while set, nobody may send it (refresh-mark.ts). */
  sentAt: z.number().optional(),
  endsAt: z.number(),
  /** Seconds without use after which the session ends; absent: those of the application's sessions */
  idleSeconds: z.number().optional(),
  /**
   * The client of the hub's authorization server whose tokens stand for the session; absent: an application has its
   * handle
   */
  grant: ClientGrant.optional(),
  /** The only agent that may act in the session; absent: the application may act for any */
  agentId: AgentId.optional(),
  /**
   * Epoch milliseconds at which it was opened, if the code of its MCP client has not been redeemed yet. Until then it
   * has no slot, and lasts as long as the code.
   */
  pendingSince: z.number().optional(),
  /** Absent while the session is pending */
  slot: Slot.optional(),
  /** Ids of the latest `End` of its user, organization and sign-in when the session was opened */
  ends: z.array(z.string()),
});
export type SessionRecord = z.output<typeof SessionRecord>;

/** A session as it was read; `replace` expects to find `text` in the store */
export interface StoredSession {
  readonly key: string;
  readonly record: SessionRecord;
  readonly text: string;
}

export type FoundSession =
  | { readonly kind: 'found'; readonly session: StoredSession }
  /** The session must not be used any more, and its remaining data must be removed. */
  | {
      readonly kind: 'ended';
      readonly session: StoredSession;
      readonly reason: 'revoked' | 'idle' | 'lifetime';
    }
  | { readonly kind: 'absent' };

/**
 * One end for many sessions, or for all calls at a connector: `at` in milliseconds of our clock, `signedOutAt` in seconds of
 * the provider's. What had begun by `at` may run until `cutAt`; absent: it ends at once.
 */
const End = z.object({
  id: z.string(),
  at: z.number(),
  signedOutAt: z.number().optional(),
  /** `tokenId`s of the ID tokens that were presented to sign out, issued at `signedOutAt` or before */
  tokenIds: z.array(z.string()).optional(),
  cutAt: z.number().optional(),
});
export type End = z.output<typeof End>;

export interface EndHow {
  /** Time of the sign-out at the identity provider, in epoch seconds: no session is opened with an earlier ID token. */
  readonly signedOutAt?: number | undefined;
  /** The ID token that was presented to sign out, which has ended whenever it was issued (`tokenId`) */
  readonly tokenId?: string | undefined;
  /** Grace time for running requests */
  readonly graceMs?: number | undefined;
}

/** Maximum sign-outs of a user within one second: no person signs out more often */
const MAX_TOKEN_IDS = 20;

/** Returns the latest sign-out of a user: an end of another kind, or a sign-out with an older ID token, must not hide it. */
function signedOutSince(former: End | undefined, { signedOutAt, tokenId }: EndHow) {
  const latest = Math.max(former?.signedOutAt ?? 0, signedOutAt ?? 0);
  if (latest === 0) return {};
  // Ended by the time of the latest sign-out alone
  const formerIds = former?.signedOutAt === latest ? (former.tokenIds ?? []) : [];
  const tokenIds = tokenId === undefined ? formerIds : [tokenId, ...formerIds];
  return { signedOutAt: latest, tokenIds: tokenIds.slice(0, MAX_TOKEN_IDS) };
}

export const nextEnd = (former: End | undefined, how: EndHow, atMs: number): End => ({
  id: randomUUID(),
  at: atMs,
  ...signedOutSince(former, how),
  cutAt: how.graceMs && atMs + how.graceMs,
});

/** An unreadable end differs from every recorded one. */
export const idOf = (entry: string | undefined | UnreadableEntry): string =>
  entry instanceof UnreadableEntry ? '!' : (parseEnd(entry)?.id ?? '');

export const parseEnd = (text: string | undefined): End | undefined =>
  text === undefined ? undefined : End.parse(JSON.parse(text));

/** A record of another version of this program counts as absent. */
export function parseRecord(text: string): SessionRecord | undefined {
  const parsed = SessionRecord.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : undefined;
}
