import { CliError } from '../command-line/cli-error.ts';
import { EXIT } from '../command-line/exit-codes.ts';

/** The tokens of a profile are over, and only its user can help. */
export const signInAgain = (issuer: string, message: string): CliError =>
  new CliError({ exitCode: EXIT.signIn, code: 'sign_in_required', message, next: `legate login ${issuer}` });
