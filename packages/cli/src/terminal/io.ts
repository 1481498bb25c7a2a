export interface Input extends AsyncIterable<Buffer | string> {
  readonly isTTY?: boolean;
}

export interface TextStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

export interface AskOptions {
  /** What is typed is not shown. */
  readonly isHidden?: boolean;
  /** Ends the question, as `signal` of {@link Io} does. */
  readonly signal?: AbortSignal;
}

/** Everything outside this program that a command uses: terminal, network, files and clock. */
export interface Io {
  readonly stdin: Input;
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly env: NodeJS.ProcessEnv;
  /** The folder in which the command was typed */
  readonly cwd: string;
  /** Finds the clone of the repository that has this folder or this program. @returns undefined if there is none */
  readonly clone: () => string | undefined;
  readonly fetch: typeof fetch;
  readonly clock: () => Date;
  /** Aborted by Ctrl-C, and by Ctrl-D at a question */
  readonly signal: AbortSignal;
  /** Waits. @throws the reason of `signal` */
  readonly wait: (ms: number) => Promise<void>;
  /** Opens a URL in the user's browser. @returns false if there is no browser */
  readonly openBrowser: (url: string) => Promise<boolean>;
  /** Runs a Node.js program on the same terminal. @returns its exit code */
  readonly runNode: (path: string, args: readonly string[]) => Promise<number>;
  /** Prompts on the terminal. @returns the input without the line feed; an empty text if the input has ended, unless by Ctrl-D */
  readonly ask: (question: string, options?: AskOptions) => Promise<string>;
}
