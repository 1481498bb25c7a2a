import type { Io } from '../terminal/io.ts';
import { usageError } from './cli-error.ts';

const MAX_BYTES = 10_000_000;

/** Reads all of stdin, within limits. @throws {CliError} if it is too long */
export async function readStdin({ stdin }: Pick<Io, 'stdin'>): Promise<string> {
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
