import { defineCommand } from '../command-line/command.ts';
import { completionScript, SHELLS } from '../command-line/completion.ts';
import { EXIT } from '../command-line/exit-codes.ts';

export const completion = defineCommand({
  name: 'completion',
  summary: 'Prints a script that completes commands and options in your shell',
  arguments: [{ name: 'shell', summary: 'your shell', isRequired: true, choices: SHELLS }],
  options: {},
  examples: [
    {
      typed: 'eval "$(legate completion bash)"',
      does: 'Enables completion in this shell. Add the line to ~/.bashrc for every shell.',
    },
    { typed: 'eval "$(legate completion zsh)"', does: 'The same for zsh, after `compinit`.' },
    { typed: 'legate completion fish | source', does: 'The same for fish.' },
  ],
  async run({ args }, { out, table }) {
    const shell = SHELLS.find((known) => known === args.shell) ?? 'bash';
    out.raw(completionScript(table, shell));
    return EXIT.done;
  },
});
