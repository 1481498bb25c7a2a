import { z } from 'zod';

const MAX_CODE_POINTS = 100;
/**
 * Rejects control characters and line separators: a name is always a single line. Bidirectional controls: they would
 * reorder the text next to the name (Unicode TR 36 §2.7). Lone surrogates: they have no UTF-8 form and would be stored
 * as something else. Private and unassigned characters: what they look like depends on the reader's fonts. The blanks
 * U+2800 and U+3164, which are letters or symbols to Unicode. U+200C and U+200D stay: Persian and emoji need them.
 */
const NOT_IN_A_NAME = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u2028\u2029\u202a-\u202e\u2066-\u2069\u2800\u3164]/u;
/** Characters without a shape: blanks, format characters and fillers */
const NOTHING_TO_SEE = /^[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** 1 to 100 Unicode code points after NFC and trimming (product specification, section 8). */
export const DisplayName = z
  .string()
  .transform((written, context) => {
    const name = written.normalize('NFC').trim();
    const refuse = (code: string, message: string) => {
      context.addIssue({ code: 'custom', message, params: { code } });
      return z.NEVER;
    };
    const length = [...name].length;
    if (length === 0) return refuse('too_short', 'Must not be empty.');
    if (length > MAX_CODE_POINTS) return refuse('too_long', `At most ${MAX_CODE_POINTS} characters.`);
    if (NOTHING_TO_SEE.test(name)) return refuse('invalid_format', 'Must have a character that can be seen.');
    if (NOT_IN_A_NAME.test(name))
      return refuse(
        'invalid_format',
        'Must not contain control, invisible, private or unassigned characters.',
      );
    return name;
  })
  .meta({ minLength: 1, maxLength: MAX_CODE_POINTS });
