import { z } from 'zod';

/** `Authorization: Bearer …` and the like, anywhere in a text */
const CREDENTIAL = /\b(?:bearer|basic|dpop)\s+[A-Za-z0-9._~+/=-]{8,}/i;
const JWT = /eyJ[A-Za-z0-9_-]{4,}\./;
/**
 * The beginning of a JWT, even if the rest was cut off. The sender removes it, but the receiver accepts it: about one
 * in 8,000 base64url hashes contains it by chance.
 */
const BEGINS_LIKE_JWT = /eyJ[A-Za-z0-9_-]{10}/;
/** Control characters and halves of characters: PostgreSQL cannot store some of them, and they could corrupt a log. */
const UNSTORABLE = '\\p{Cc}\\p{Cs}';
const EACH_UNSTORABLE = new RegExp(`[${UNSTORABLE}]`, 'gu');
const STORABLE = new RegExp(`^[^${UNSTORABLE}]*$`, 'u');
/**
 * Matches nearly all texts of events, and avoids the slower checks. A text without a space contains no credential with
 * a scheme, and 64 is the lowest maximum of any text of an event.
 */
const PLAIN = /^[\w.:@-]{1,64}$/;

const hasToken = (text: string): boolean => JWT.test(text) || CREDENTIAL.test(text);

/** A text in an event, which is stored and displayed unchanged. Texts that look like a token are refused. */
export const eventText = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(STORABLE)
    .refine((text) => !hasToken(text), { error: 'looks like a token', params: { code: 'token_refused' } });

/**
 * Turns any text into one that `eventText(max)` accepts: callers choose the names of tools and requests freely, and a
 * refused event would hide the call from the audit trail.
 * @param max at least 64
 * @returns undefined for an empty text
 */
export function toEventText(text: string | undefined, max: number): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (PLAIN.test(text) && !text.includes('eyJ')) return text;
  if (BEGINS_LIKE_JWT.test(text) || hasToken(text)) return '[redacted]';
  return text.slice(0, max).replace(EACH_UNSTORABLE, '\uFFFD');
}
