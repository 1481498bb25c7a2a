import { z } from 'zod';
import { identifier } from './identifier.ts';

/**
 * The party that acts for the subject of a token (RFC 8693 §4.1). Its own `act` names the previous actor, and is
 * informational.
 */
export interface Actor {
  readonly iss?: string | undefined;
  readonly sub: string;
  /** The kind of entity, such as `ai_agent` (draft-mora-oauth-entity-profiles) */
  readonly sub_profile?: string | undefined;
  readonly act?: Actor | undefined;
}
const MAX_ACTORS = 4;
const MAX_ACTOR_LENGTH = 2048;

const actorOf = (depth: number): z.ZodType<Actor> =>
  z.strictObject({
    iss: identifier.optional(),
    sub: identifier,
    sub_profile: identifier.optional(),
    act: (depth > 1 ? actorOf(depth - 1) : z.never()).optional(),
  });
/** Limits the size, because an actor is copied from token to token. */
export const Actor = actorOf(MAX_ACTORS).refine((actor) => JSON.stringify(actor).length <= MAX_ACTOR_LENGTH, {
  error: 'is too long',
});
