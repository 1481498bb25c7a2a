/** The meaning of each exit code; part of the public interface. */
export const EXIT = {
  done: 0,
  /** A fault was found, or the tool server reported an error. */
  fault: 1,
  /** The command line is wrong, or refers to something that does not exist. */
  usage: 2,
  /** The user must sign in or connect an account. */
  signIn: 3,
  denied: 4,
  unavailable: 5,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Descriptions of the exit codes, for the reference and the help */
export const EXIT_TEXT: readonly (readonly [ExitCode, string])[] = [
  [EXIT.done, 'Done'],
  [EXIT.fault, 'A fault was found, or the tool server reported an error'],
  [EXIT.usage, 'The command is wrong, or refers to something that does not exist'],
  [EXIT.signIn, 'Sign in, or connect an account'],
  [EXIT.denied, 'Refused, and signing in again does not help'],
  [EXIT.unavailable, 'A service is unavailable: try again later'],
  [EXIT.interrupted, 'Interrupted'],
];
