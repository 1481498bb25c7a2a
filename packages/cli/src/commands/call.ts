import type { ContentBlock, LegateTool, Result } from '@legate/client';
import { CliError, usageError } from '../command-line/cli-error.ts';
import { type Context, defineCommand, flag } from '../command-line/command.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import { readJson } from '../command-line/read-stdin.ts';
import { HUB_OPTIONS, type Hub, openHub } from '../services/hub.ts';
import { type Line, nextLine, painted } from '../terminal/output.ts';

type Arguments = Readonly<Record<string, unknown>>;

export const call = defineCommand({
  name: 'call',
  summary: 'Calls a tool as you, and prints its result',
  description: [
    'If the tool needs your approval, the command shows the call and asks first. Without a terminal, `--yes` approves it. Pass secrets on stdin with `-`, because other users of the computer can see arguments.',
    'An error has the id of the call, for `legate explain`. It has none if the tools could not be listed, since the call was not sent then.',
  ],
  arguments: [
    { name: 'tool', summary: 'name of the tool, from `legate tools`', isRequired: true },
    {
      name: 'arguments',
      summary: 'its arguments, a JSON object; `-` reads them from stdin',
      isRequired: false,
    },
  ],
  options: { yes: flag('approve the call'), ...HUB_OPTIONS },
  json: 'the outcome as JSON',
  examples: [
    { typed: 'legate call reference_whoami', does: 'Asks the tool server who is calling.' },
    { typed: `legate call reference_create_note '{"text":"buy milk"}'`, does: 'Creates a note.' },
    { typed: 'legate call reference_create_note - < note.json', does: 'Reads the arguments from a file.' },
  ],
  async run({ options, args }, context) {
    const { io, out } = context;
    const given = args.arguments === '-' ? await readJson(context) : (args.arguments ?? '{}');
    const toolArguments = parseArguments(given);
    const hub = await openHub(context, options);
    const tool = await find(hub, args.tool, context);
    if (needsApproval(tool) && !options.yes) await approve(tool, toolArguments, context);
    const outcome = await hub.legate.call(tool, toolArguments, { signal: io.signal });
    if (outcome.kind !== 'result') return hub.fail(outcome, tool.connectorId);
    out.result(toJson(outcome), () => toLines(outcome));
    if (!outcome.isError) return EXIT.done;
    const explain = outcome.callId === undefined ? 'legate tools' : `legate explain ${outcome.callId}`;
    out.note(
      [painted('red', 'Error: '), 'The tool server reported an error.'],
      nextLine(context.next(explain)),
    );
    return EXIT.fault;
  },
});

/** Treats a value that this version does not know as `required`. */
const needsApproval = ({ approval }: LegateTool): boolean =>
  approval !== undefined && approval !== 'not-required';

function parseArguments(given: string): Arguments {
  let read: unknown;
  try {
    read = JSON.parse(given);
  } catch {
    throw usageError('The arguments are not JSON.', `legate call --help`);
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw usageError(
      'The arguments of a tool are a JSON object, such as {"text":"Hello"}.',
      'legate call --help',
    );
  return read as Arguments;
}

async function find({ legate, fail }: Hub, name: string, { io }: Context): Promise<LegateTool> {
  const { tools, leftOut, failure } = await legate.tools({ signal: io.signal });
  if (failure) return fail(failure);
  const tool = tools.find((each) => each.name === name);
  if (tool) return tool;
  // The tool may belong to a connector whose tools could not be listed.
  const unlisted = leftOut.find((part) => part.failure && name.startsWith(`${part.slug}_`));
  if (unlisted?.failure) return fail(unlisted.failure, unlisted.connectorId);
  const similar = tools.filter((each) => each.name.endsWith(`_${name}`)).map((each) => each.name);
  throw new CliError({
    exitCode: EXIT.usage,
    code: 'tool_not_found',
    message: `There is no tool ${name} that you may call, so nothing was called, and the audit trail has no event.${similar.length > 0 ? ` Did you mean ${similar.join(' or ')}?` : ''}`,
    next: 'legate tools',
  });
}

async function approve(tool: LegateTool, args: Arguments, { io, out, typed }: Context): Promise<void> {
  if (!io.stdin.isTTY || !io.stderr.isTTY)
    throw new CliError({
      exitCode: EXIT.denied,
      code: 'approval_required',
      message: `${tool.name} needs an approval, and there is no terminal to ask on.`,
      next: `${typed} --yes`,
    });
  out.note(`${tool.title ?? tool.name} (${tool.slug}) would be called with`, {
    verbatim: JSON.stringify(args, undefined, 2),
  });
  const answer = await io.ask('Allow it? (y/N) ');
  if (!/^y(es)?$/i.test(answer.trim()))
    throw new CliError({
      exitCode: EXIT.denied,
      code: 'not_approved',
      message: 'The tool was not called, because you did not allow it.',
      next: typed,
    });
}

const toJson = ({ content, structuredContent, isError, actsAs, callId }: Result) => ({
  is_error: isError,
  content,
  structured_content: structuredContent ?? null,
  acts_as: actsAs,
  call_id: callId ?? null,
});

function toLines({ content, structuredContent, actsAs }: Result): Line[] {
  const shown = content.map(blockText);
  return [
    ...(shown.length === 0 && structuredContent !== undefined
      ? [{ verbatim: JSON.stringify(structuredContent, undefined, 2) }]
      : shown.map((verbatim) => ({ verbatim }))),
    ...(actsAs === 'service'
      ? [painted('yellow', 'The tool ran with the credential of the connector, not as you.')]
      : []),
  ];
}

function blockText({ type, text, mimeType, uri, resource }: ContentBlock): string {
  if (text !== undefined) return withIndent(text);
  const about = [type, mimeType, uri ?? Object(resource).uri];
  return `[${about.filter((part) => typeof part === 'string').join(' ')}]`;
}

/** Formats JSON text: many tools return it in one line. */
function withIndent(text: string): string {
  if (!/^\s*[{[]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
