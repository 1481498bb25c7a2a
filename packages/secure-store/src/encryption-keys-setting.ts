import { z } from 'zod';
import { parseEncryptionKeys } from './envelope.ts';

/** A setting for encryption keys. Its value stays text, because error messages must not contain it. */
export const encryptionKeysSetting = z.string().superRefine((text, context) => {
  try {
    parseEncryptionKeys(text);
  } catch (err) {
    context.addIssue({ code: 'custom', message: err instanceof Error ? err.message : 'malformed' });
  }
});
