import { hash, randomBytes } from 'node:crypto';
import { OrganizationId, UserId } from '@legate/ids';
import { type SecureStore, UnreadableEntry } from '@legate/secure-store';
import { z } from 'zod';
import { SealedAccess } from '../../sign-in/session-record.ts';
import { SignInDemand } from '../../sign-in/step-ups.ts';
import { createOneTime } from '../accounts/one-time.ts';
import { INTERACTION_SECONDS } from './terms.ts';

/** A sign-in at the identity provider that has begun, stored under its `state` */
const PendingSignIn = z.object({
  /** oidc-provider's interaction for which the user signs in */
  uid: z.string(),
  /** Identifies the browser that was redirected to the identity provider */
  browser: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  /** Set if the provider is asked for a stronger sign-in */
  demand: SignInDemand.optional(),
});

const SignedIn = z.object({
  userId: UserId,
  organizationId: OrganizationId,
  /** How a page names the user; undefined: by their id */
  shownName: z.string().optional(),
  idToken: z.string(),
  refreshToken: z.string().optional(),
  access: SealedAccess.optional(),
});

/** How the sign-in of an interaction has ended */
const Outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('signed_in'), user: SignedIn, demand: SignInDemand.optional() }),
  /** The user or the identity provider declined. */
  z.object({ kind: z.literal('declined') }),
  /** The user may not act here: `code` of the problem, and the claims of the ID token that caused it */
  z.object({ kind: z.literal('kept_out'), code: z.string(), claims: z.array(z.string()).optional() }),
]);

const Interaction = z.object({
  browser: z.string(),
  /** Protects the forms of this interaction against CSRF */
  formToken: z.string(),
  outcome: Outcome,
});
export type Interaction = z.output<typeof Interaction>;
export type SignedInUser = z.output<typeof SignedIn>;
export type SignInOutcome = z.output<typeof Outcome>;

export type InteractionStore = ReturnType<typeof createInteractionStore>;

/** Data stored about a browser between an authorization request and its response */
export function createInteractionStore(store: SecureStore) {
  const nameOf = (uid: string) => `as:interaction:${hash('sha256', uid, 'base64url')}`;
  return {
    signIns: createOneTime({
      store,
      prefix: 'as:sign-in:',
      schema: PendingSignIn,
      ttlSeconds: INTERACTION_SECONDS,
    }),
    async keep(uid: string, browser: string, outcome: SignInOutcome): Promise<void> {
      const formToken = randomBytes(32).toString('base64url');
      await store.set(nameOf(uid), JSON.stringify({ browser, formToken, outcome }), INTERACTION_SECONDS);
    },
    async find(uid: string): Promise<Interaction | undefined> {
      const [text] = await store.getMany([nameOf(uid)]);
      if (text === undefined || text instanceof UnreadableEntry) return undefined;
      return Interaction.safeParse(JSON.parse(text)).data;
    },
    /** @returns false if it was used up before */
    drop: (uid: string): Promise<boolean> => store.delete(nameOf(uid)),
  };
}
