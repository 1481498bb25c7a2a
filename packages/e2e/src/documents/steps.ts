import type { Block, Page } from './blocks.ts';

/** One command or program to run, with its expected output. */
export interface Step {
  readonly path: string;
  readonly line: number;
  readonly command: string;
  readonly expected?: string;
  readonly block: Block;
}

/** Returns what a document runs, in order: a `console` block is one step for each command. */
export function stepsOf(page: Page): Step[] {
  const steps: Step[] = [];
  for (const block of page.blocks) {
    if (block.mark.skip || block.mark.file !== undefined) continue;
    if (block.mark.output) {
      const before = steps.pop();
      if (!before) throw new Error(`${page.path}:${block.line}: an output of no commands`);
      steps.push({ ...before, expected: block.text });
    } else if (block.kind === 'console') {
      steps.push(...typed(block).map((step) => ({ ...step, path: page.path, block })));
    } else steps.push({ path: page.path, line: block.line + 1, command: block.text, block });
  }
  return steps;
}

/** A command continues while its line ends with a backslash; the lines after it are its expected output. */
function typed(block: Block): Pick<Step, 'line' | 'command' | 'expected'>[] {
  const commands: { line: number; command: string[]; output: string[]; open: boolean }[] = [];
  for (const [index, line] of block.text.split('\n').entries()) {
    const last = commands.at(-1);
    if (line.startsWith('$ '))
      commands.push({
        line: block.line + 1 + index,
        command: [line.slice(2)],
        output: [],
        open: line.endsWith('\\'),
      });
    else if (last?.open) {
      last.command.push(line);
      last.open = line.endsWith('\\');
    } else last?.output.push(line);
  }
  return commands.map(({ line, command, output }) => {
    const expected = output.join('\n').trim();
    return { line, command: command.join('\n'), ...(expected !== '' && { expected }) };
  });
}
