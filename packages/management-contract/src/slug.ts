import { z } from 'zod';

/** Maximum length of a slug: tool names that begin with one must not be too long for model APIs */
export const MAX_SLUG_LENGTH = 16;
/**
 * A slug begins with a letter, because Gemini refuses a whole request if one name does not, and contains neither `_`
 * nor `.`.
 */
const SLUG = /^[a-z](?:[a-z0-9-]{0,14}[a-z0-9])?$/;
/** Slugs that agents could mistake for the hub or a host of MCP Apps */
const RESERVED = ['legate', 'hub', 'mcp', 'ui'];

/** Short name of a connector, used as a prefix of its tools' names */
export const Slug = z
  .string()
  .regex(SLUG, { error: 'must be 1 to 16 of a-z 0-9 -, begin with a letter and not end with -' })
  .refine((slug) => !RESERVED.includes(slug), { error: `must not be ${RESERVED.join(', ')}` });

/**
 * Converts a name to a slug: `Notes & Tasks` becomes `notes-tasks`.
 * @param isTaken true for a slug that another connector has; then the next free `-2`, `-3` and so on is appended
 */
export function slugFrom(name: string, isTaken: (slug: string) => boolean = () => false): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const lettered = /^[0-9]/.test(plain) ? `c-${plain}` : plain || 'tools';
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `-${number}`;
    const slug = lettered.slice(0, MAX_SLUG_LENGTH - suffix.length).replace(/-+$/, '') + suffix;
    if (Slug.safeParse(slug).success && !isTaken(slug)) return slug;
  }
}
