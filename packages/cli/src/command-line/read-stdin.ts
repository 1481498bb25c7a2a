import type { Io } from '../terminal/io.ts';
import { usageError } from './cli-error.ts';
import type { Context } from './command.ts';

const MAX_BYTES = 10_000_000;

/** Reads a secret or a token: at a terminal with a question, and without showing what is typed. */
export async function readSecret(io: Pick<Io, 'stdin' | 'ask'>, question: string): Promise<string> {
  return io.stdin.isTTY ? (await io.ask(question, { isHidden: true })).trim() : readStdin(io);
}

/** Reads a JSON text, which may have several lines. At a terminal, tells how to end it. */
export async function readJson({ io, out }: Pick<Context, 'io' | 'out'>): Promise<string> {
  if (io.stdin.isTTY) out.note('Type the JSON object (it is shown), then press Enter and Ctrl-D.');
  return readStdin(io);
}

/** Reads all of stdin, within limits. @throws {CliError} if it is too long */
async function readStdin({ stdin }: Pick<Io, 'stdin'>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BYTES) throw usageError('stdin is longer than 10 MB.', 'legate --help');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8').trim();
}
