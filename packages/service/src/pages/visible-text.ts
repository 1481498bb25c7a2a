/**
 * Characters that are not allowed in a name by which people decide. Control characters and line separators: a name is
 * always a single line. Bidirectional controls: they would reorder the text next to the name (Unicode TR 36 §2.7). Lone
 * surrogates: they have no UTF-8 form and would be stored as something else. Private and unassigned characters: what
 * they look like depends on the reader's fonts. The blanks U+2800 and U+3164, which are letters or symbols to Unicode.
 * U+200C and U+200D stay: Persian and emoji need them.
 */
const NOT_IN_A_NAME = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u2028\u2029\u202a-\u202e\u2066-\u2069\u2800\u3164]/gu;

/** Characters without a shape: blanks, format characters and fillers */
const NOTHING_TO_SEE = /^[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Returns true if a text has characters that are not allowed in a name */
export const isUnfitForName = (text: string): boolean => text.search(NOT_IN_A_NAME) >= 0;

/** Returns true if nothing of a text is visible */
export const isInvisible = (text: string): boolean => NOTHING_TO_SEE.test(text);

/**
 * Returns an untrusted text as one line that can be shown: blanks replace characters that are not allowed in a name.
 */
export const shownAsName = (text: string): string =>
  text
    .normalize('NFC')
    .replace(NOT_IN_A_NAME, ' ')
    .replace(/[\s\u00ad\ufeff]+/gu, ' ')
    .trim();
