import { renderReference } from './command-line/reference.ts';
import { commandTable, VARIABLES } from './command-table.ts';

/** Renders the page `docs/reference/cli.md`, which is the same in every version. */
export const cliReference = (): string => renderReference(commandTable(''), VARIABLES);
