export { runCli } from './command-line/run.ts';
export { commandTable } from './command-table.ts';
export { cliReference } from './reference.ts';
export type { Io } from './terminal/io.ts';
