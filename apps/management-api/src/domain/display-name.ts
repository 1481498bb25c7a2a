import { isInvisible, isUnfitForName } from '@legate/service';
import { z } from 'zod';

const MAX_CODE_POINTS = 100;

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
    if (length > MAX_CODE_POINTS)
      return refuse('too_long', `Must be at most ${MAX_CODE_POINTS} characters long.`);
    if (isInvisible(name)) return refuse('invalid_format', 'Must have at least one visible character.');
    if (isUnfitForName(name))
      return refuse(
        'invalid_format',
        'Must not contain control, invisible, private or unassigned characters.',
      );
    return name;
  })
  .meta({ minLength: 1, maxLength: MAX_CODE_POINTS });
