import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

/** Maximum width: longer lines are hard to read. A pipe or a file has no width of its own. */
const MAX_WIDTH = 102;

/** @returns the columns that a line may take */
export const widthOf = (stream: NodeJS.WriteStream): number =>
  Math.min(stream.columns || MAX_WIDTH, MAX_WIDTH);

/** Uses colours only on a terminal, and not if NO_COLOR is set (no-color.org). */
export function createStyle(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv) {
  const colours = stream.isTTY === true && !env.NO_COLOR;
  const paint = (format: Format) => (text: string) => (colours ? styleText(format, text) : text);
  return {
    title: paint(['bold', 'cyan']),
    strong: paint('bold'),
    faint: paint('dim'),
    good: paint('green'),
    bad: paint('red'),
    name: paint('yellow'),
  };
}

export type Style = ReturnType<typeof createStyle>;
