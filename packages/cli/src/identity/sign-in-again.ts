import { CliError } from '../command-line/cli-error.ts';
import { EXIT } from '../command-line/exit-codes.ts';

/** Reports that the tokens of a profile have expired and the user must sign in. */
export const signInAgain = (issuer: string, message: string): CliError =>
  new CliError({ exitCode: EXIT.signIn, code: 'sign_in_required', message, next: `legate login ${issuer}` });
