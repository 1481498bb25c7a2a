import { relative, resolve } from 'node:path';
import { CliError, usageError } from '../command-line/cli-error.ts';
import { type Context, defineCommand, text } from '../command-line/command.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import { quote, typedLine } from '../command-line/typed-line.ts';
import { developmentAddresses, serviceUrl } from '../identity/addresses.ts';
import { CLONE, FRAMEWORKS, type Framework, installCommands, KINDS, type Plan } from '../init/plan.ts';
import { type Line, painted } from '../terminal/output.ts';

interface Options {
  readonly kind: string | undefined;
  readonly framework: string | undefined;
  readonly issuer: string | undefined;
  readonly hub: string | undefined;
}

const TITLES = { express: 'Express', fastify: 'Fastify', hono: 'Hono' } as const satisfies Record<
  Framework,
  string
>;

export const init = defineCommand({
  name: 'init',
  summary: 'Writes a working tool server or agent into an empty folder',
  description: [
    'It asks at most three questions; an option answers one in advance, and Enter takes the default. Without a terminal, every answer must be an option.',
    'The project has its program in TypeScript, a README with the next steps, and `.env`, which only you can read; that of a tool server has a new secret. The programs are [the examples](../../examples/README.md) of the repository: a tool server on Express, Fastify or Hono, and an agent on LangGraph.',
  ],
  arguments: [{ name: 'folder', summary: 'empty, or new; default: this folder', isRequired: false }],
  options: {
    kind: { ...text('kind', 'what to write'), choices: KINDS },
    framework: {
      ...text('name', 'HTTP framework, for a tool server only'),
      choices: FRAMEWORKS,
    },
    issuer: text('url', 'the identity provider that is trusted, or where users sign in'),
    hub: text('url', 'the tool hub of an agent'),
  },
  json: 'the written files and the next commands',
  examples: [
    { typed: 'legate init my-server', does: 'Asks what to write, and writes it into a new folder.' },
    {
      typed:
        'legate init my-server --kind tool-server --framework express --issuer http://localhost:4002 --json',
      does: 'Asks nothing, as a script needs it.',
    },
  ],
  async run({ options, args }, context) {
    const { io, out, table } = context;
    const given = args.folder ?? '.';
    const folder = resolve(io.cwd, given);
    const { filesIn, writeProject } = await import('../init/project.ts');
    const inTheWay = await filesIn(folder).catch(unwritable);
    if (inTheWay.length > 0)
      throw new CliError({
        exitCode: EXIT.usage,
        code: 'folder_not_empty',
        message: `${folder} is not empty: it has ${inTheWay[0]}.`,
        next: 'legate init <new folder>',
      });
    const plan = await planOf(options, given, context);
    const files = await writeProject(folder, plan, table.version).catch(unwritable);
    const clone = io.clone();
    const next = nextCommands(plan, relative(io.cwd, folder), io.cwd, clone);
    out.result({ folder, ...plan, files, next }, () => [
      `${plan.kind === 'agent' ? 'An agent on LangGraph' : `A tool server on ${TITLES[plan.framework]}`} is in ${folder}.`,
      ...(plan.kind === 'agent' ? [] : ['Its secret is in the file .env, which only you can read.']),
      '',
      ...(clone === undefined
        ? [
            `Until the first release, a clone of the Legate repository packs the packages: type its path in place of ${CLONE}.`,
          ]
        : []),
      painted('bold', 'Next:'),
      ...next.map((command): Line => ['  ', { command }]),
      '',
      'README.md describes these steps and those that follow.',
    ]);
    return EXIT.done;

    function unwritable(cause: unknown): never {
      const code = Object(cause).code;
      if (typeof code !== 'string') throw cause;
      throw usageError(`${folder} cannot be used (${code}).`, 'legate init <new folder>');
    }
  },
});

/** Asks what the options do not say. @throws {CliError} without a terminal */
async function planOf(options: Options, folder: string, { io, out }: Context): Promise<Plan> {
  const development = developmentAddresses(io.env);
  const hasTerminal = io.stdin.isTTY === true && io.stderr.isTTY === true && !out.isJson;
  const answer = async (given: string | undefined, question: string, standard: string) => {
    if (given !== undefined) return given;
    if (!hasTerminal)
      throw usageError(
        'There is no terminal to ask on, and not every answer is given as an option.',
        fullCommand(options, folder, development),
      );
    return (await io.ask(`${question} (${standard}) `)).trim() || standard;
  };
  const kind = oneOf(KINDS, await answer(options.kind, 'A tool-server, or an agent?', 'tool-server'));
  if (kind === 'agent') {
    if (options.framework !== undefined)
      throw usageError('--framework is for a tool server.', 'legate init --help');
    const hub = serviceUrl(
      'The hub',
      await answer(options.hub, 'Address of the hub?', development.hub),
      'legate init --help',
    );
    const issuer = await answer(options.issuer, 'Address of the identity provider?', development.issuer);
    return { kind, hub, issuer: issuerOf(issuer) };
  }
  if (options.hub !== undefined) throw usageError('--hub is for an agent.', 'legate init --help');
  const framework = await answer(options.framework, 'On express, fastify or hono?', 'express');
  const issuer = await answer(options.issuer, 'Address of the identity provider?', development.issuer);
  return {
    kind,
    framework: oneOf(FRAMEWORKS, framework),
    issuer: issuerOf(issuer),
  };
}

const issuerOf = (typed: string): string => serviceUrl('The identity provider', typed, 'legate init --help');

function oneOf<const Word extends string>(words: readonly Word[], typed: string): Word {
  const found = words.find((word) => word === typed.toLowerCase());
  if (found) return found;
  throw usageError(`${typed} is none of ${words.join(', ')}.`, 'legate init --help');
}

function fullCommand(
  { kind = 'tool-server', framework = 'express', hub, issuer }: Options,
  folder: string,
  standard: { readonly hub: string; readonly issuer: string },
): string {
  const own = kind === 'agent' ? ['--hub', hub ?? standard.hub] : ['--framework', framework];
  return typedLine(['init', folder, '--kind', kind, ...own, '--issuer', issuer ?? standard.issuer]);
}

/** Returns the commands to go on with. */
function nextCommands(plan: Plan, folder: string, cwd: string, clone: string | undefined): readonly string[] {
  return [
    ...(folder === '' ? [] : [`cd ${quote(folder.startsWith('..') ? resolve(cwd, folder) : folder)}`]),
    ...installCommands(plan, clone),
    'npm start',
  ];
}
