import { z } from 'zod';
import { parseEncryptionKeys } from './envelope.ts';

/**
 * A setting for encryption keys. It is parsed later, because error messages of the schema must not contain its value.
 */
export const encryptionKeysSetting = z.string().superRefine((text, context) => {
  try {
    parseEncryptionKeys(text);
  } catch (err) {
    context.addIssue({ code: 'custom', message: err instanceof Error ? err.message : 'malformed' });
  }
});
