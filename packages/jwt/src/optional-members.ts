import { z } from 'zod';

const readBy = <Value>(read: (value: unknown) => Value | undefined) => z.unknown().transform(read).optional();

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const Url = z.url();

/**
 * Optional members of what others send, which decide nothing: claims, metadata, token answers. The field writes them in
 * more ways than the specifications, and nobody may be locked out by a member that nobody needs. So null and an empty text
 * are their absence (RFC 6749 §5.1), what can be understood is read, and the rest is ignored. A member that decides, such as
 * `aud` or a scope, is not read this way.
 */
export const optional = {
  text: readBy(textOf),
  /** A number is read as its digits. */
  name: readBy((value) =>
    typeof value === 'number' && Number.isFinite(value) ? String(value) : textOf(value),
  ),
  /** A single text is a list of one; what is no text is left out of a list. */
  texts: readBy((value) => {
    const only = textOf(value);
    if (only !== undefined) return [only];
    if (!Array.isArray(value)) return undefined;
    return value.filter((each): each is string => textOf(each) !== undefined);
  }),
  /** True or `"true"`. Everything else that is there is false: what cannot be understood confirms nothing. */
  flag: readBy((value) =>
    value === null || value === undefined || value === '' ? undefined : value === true || value === 'true',
  ),
  /** One that is not negative, also as a text */
  number: readBy((value) => {
    const number = typeof value === 'string' && /^\d{1,15}(\.\d{1,9})?$/.test(value) ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
  }),
  url: readBy((value) => Url.safeParse(value).data),
} as const;

/** A member that decides if it is there: null is its absence, and any other value has to be right. */
export const strictIfThere = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === null ? undefined : value), schema.optional()).optional();
