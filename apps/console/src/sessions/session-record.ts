import { z } from 'zod';

/** The tokens that a sign-in or a refresh returns; times are epoch seconds. */
export const Tokens = z.strictObject({
  /** Access token for the management API */
  accessToken: z.string().min(1),
  accessTokenExpiresAt: z.number(),
  /** ID token for the hub */
  idToken: z.string().min(1),
  refreshToken: z.string().min(1).optional(),
  /** Time from which the tokens are renewed, before they expire */
  renewAt: z.number(),
});
export type Tokens = z.output<typeof Tokens>;

export const SessionRecord = z.strictObject({
  /** Public id by which the user names the session; it is no credential */
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
  /** The record as it was read from the store, used to detect that another process has changed it. */
  readonly text: string;
  readonly lastUsedAt: number;
}
