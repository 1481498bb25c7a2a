import { z } from 'zod';

const readBy = <Value>(read: (value: unknown) => Value | undefined) => z.unknown().transform(read).optional();

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const Url = z.url();

/**
 * Lenient schemas for optional members of claims, metadata and token responses that do not affect a decision. Other
 * implementations write them in more ways than the specifications allow, and a member that nobody needs must not make a
 * request fail. So null and an empty string count as absent (RFC 6749 §5.1), readable values are converted, and others
 * are ignored. Do not use these for a member that affects a decision, such as `aud` or a scope.
 */
export const optional = {
  text: readBy(textOf),
  /** A number is read as its digits. */
  name: readBy((value) =>
    typeof value === 'number' && Number.isFinite(value) ? String(value) : textOf(value),
  ),
  /** A single string becomes a list of one; values that are not strings are left out of a list. */
  texts: readBy((value) => {
    const only = textOf(value);
    if (only !== undefined) return [only];
    if (!Array.isArray(value)) return undefined;
    return value.filter((each): each is string => textOf(each) !== undefined);
  }),
  /**
   * True for true and `"true"`, false for any other value that is present, because an unreadable value confirms
   * nothing.
   */
  flag: readBy((value) =>
    value === null || value === undefined || value === '' ? undefined : value === true || value === 'true',
  ),
  /** A number that is not negative, also as a string */
  number: readBy((value) => {
    const number = typeof value === 'string' && /^\d{1,15}(\.\d{1,9})?$/.test(value) ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
  }),
  url: readBy((value) => Url.safeParse(value).data),
} as const;

/** A member that affects a decision if it is present: null counts as absent, and any other value must be valid. */
export const strictIfThere = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === null ? undefined : value), schema.optional()).optional();
