import { z } from 'zod';

/** What a sign-in or a refresh yields; times are epoch seconds. */
export const Tokens = z.strictObject({
  /** Access token for the management API */
  accessToken: z.string().min(1),
  accessTokenExpiresAt: z.number(),
  /** ID token for the hub */
  idToken: z.string().min(1),
  refreshToken: z.string().min(1).optional(),
  /** The time from which tokens are renewed before they are used */
  renewAt: z.number(),
});
export type Tokens = z.output<typeof Tokens>;

export const SessionRecord = z.strictObject({
  /** Public: the name of the session for its user, and no credential */
  id: z.string(),
  userId: z.string(),
  organizationId: z.string().optional(),
  /** The sign-in at the identity provider */
  sid: z.string().optional(),
  device: z.string(),
  createdAt: z.number(),
  endsAt: z.number(),
  tokens: Tokens,
});
export type SessionRecord = z.output<typeof SessionRecord>;

export interface Session {
  /** Hash of the id in the cookie */
  readonly key: string;
  readonly record: SessionRecord;
  /** The record as it is stored, which shows whether another process has changed it. */
  readonly text: string;
  readonly lastUsedAt: number;
}
