import { quote } from '../command-line/typed-line.ts';

/** What `legate init` can write. */
export const KINDS = ['tool-server', 'agent'] as const;
export type Kind = (typeof KINDS)[number];

export const FRAMEWORKS = ['express', 'fastify', 'hono'] as const;
export type Framework = (typeof FRAMEWORKS)[number];

/** The answers to the questions. `hub` is a URL, and `issuer` is one as it was typed. */
export type Plan =
  | { readonly kind: 'tool-server'; readonly framework: Framework; readonly issuer: string }
  | { readonly kind: 'agent'; readonly hub: string; readonly issuer: string };

/** Name of the example that the project is made from */
export const templateOf = (plan: Plan): string =>
  plan.kind === 'agent' ? 'agent-langgraph' : `tool-server-${plan.framework}`;

/** The command line, which the README of a project uses */
export const CLI = '@legate/cli';

/** A place for the path of a clone, to be typed over */
export const CLONE = '/path/to/legate';

/**
 * Returns the commands that install a project. Until the first release, the packages come from a clone.
 * @param clone its path
 */
export function installCommands({ kind }: Plan, clone = CLONE): readonly string[] {
  const library = kind === 'agent' ? '@legate/client' : '@legate/tool-server';
  return [
    `CLONE=${quote(clone)}`,
    `npm run -s pack --prefix "$CLONE" -- packages ${library} ${CLI}`,
    // Without `./` npm would look for them at GitHub.
    'npm install ./packages/*.tgz',
  ];
}
