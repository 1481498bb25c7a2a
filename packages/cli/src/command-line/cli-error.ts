import { EXIT, type ExitCode } from './exit-codes.ts';

/** The reason why a command failed, with a suggested next command. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: Exclude<ExitCode, 0>;
  /** Stable code; the service's code if the service refused */
  readonly code: string;
  readonly next: string;
  /** Further members of the error in `--json` */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(options: {
    exitCode: Exclude<ExitCode, 0>;
    code: string;
    message: string;
    next: string;
    members?: Readonly<Record<string, unknown>>;
    cause?: unknown;
  }) {
    super(options.message, { cause: options.cause });
    this.exitCode = options.exitCode;
    this.code = options.code;
    this.next = options.next;
    this.members = options.members ?? {};
  }
}

export const usageError = (message: string, next: string): CliError =>
  new CliError({ exitCode: EXIT.usage, code: 'usage', message, next });
