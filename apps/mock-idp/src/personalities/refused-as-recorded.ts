import { OAuthError } from '@legate/oauth';
import type { Answer } from './personality.ts';

/** A refusal in the words of the provider */
export class RefusedAsRecorded extends OAuthError {
  constructor(
    readonly answer: Answer,
    { code, reason, ...options }: OAuthError,
  ) {
    super(code, reason, options);
  }
}
