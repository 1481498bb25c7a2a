import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

/** Colours on a terminal only, and not where NO_COLOR asks for none (no-color.org). */
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
