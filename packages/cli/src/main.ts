import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runCli } from './command-line/run.ts';
import { commandTable } from './command-table.ts';
import { nodeIo } from './node-io.ts';

const manifest = fileURLToPath(new URL('../package.json', import.meta.url));
const { version } = JSON.parse(readFileSync(manifest, 'utf8'));

/** Exit code of a shell for a program whose output is no longer read (`legate … | head`) */
const SIGPIPE_CODE = 141;
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (err: NodeJS.ErrnoException) => {
    if (err.code !== 'EPIPE') throw err;
    process.exit(SIGPIPE_CODE);
  });

process.exitCode = await runCli(commandTable(version), process.argv.slice(2), nodeIo(process));
