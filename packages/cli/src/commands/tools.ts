import type { LeftOut, LegateTool } from '@legate/client';
import { type Context, defineCommand, text } from '../command-line/command.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import { quote } from '../command-line/typed-line.ts';
import type { Identity } from '../identity/identity.ts';
import { apiCommand } from '../services/api-command.ts';
import { connectorsAtHub, findConnector } from '../services/connectors.ts';
import { HUB_OPTIONS, openHub } from '../services/hub.ts';
import { nextLine, type Part, painted } from '../terminal/output.ts';
import { table } from '../terminal/table.ts';

export const tools = defineCommand({
  name: 'tools',
  summary: 'Lists the tools that you may call',
  description: [
    'The column “approval” says whether the user is asked before a call. It depends on the agent, so it is missing without `--agent`. Connectors whose tools could not be listed are shown below, with the reason. With `--connector`, the command fails with that reason, and prints the link if you must connect your account first.',
  ],
  arguments: [],
  options: {
    connector: text('id', 'only the tools of this connector, by its id or short name'),
    ...HUB_OPTIONS,
  },
  json: 'the list with the schemas of the arguments, as JSON',
  examples: [
    { typed: 'legate tools', does: 'Lists all tools.' },
    {
      typed: 'legate tools --connector reference --user bob@acme.example',
      does: 'Lists what Bob may call there, in the development stack.',
    },
  ],
  async run({ options }, context) {
    const { out, io } = context;
    const hub = await openHub(context, options);
    const { legate, fail } = hub;
    const list = await legate.tools({ signal: io.signal });
    if (list.failure) return fail(list.failure);
    const isMeant = ({ connectorId, slug }: { connectorId: string; slug: string | undefined }) =>
      options.connector === undefined || [connectorId, slug].includes(options.connector);
    const found = list.tools.filter(isMeant);
    const leftOut = list.leftOut.filter(isMeant);
    const [only] = options.connector !== undefined && found.length === 0 ? leftOut : [];
    if (only?.failure) return fail(only.failure, only.connectorId);
    if (options.connector !== undefined && found.length === 0 && leftOut.length === 0)
      findConnector(await connectorsAtHub(hub), options.connector);
    const hasApprovals = found.some(({ approval }) => approval !== undefined);
    out.result({ tools: found.map(toJson), left_out: leftOut.map(leftOutToJson) }, () =>
      found.length === 0
        ? []
        : table(
            ['TOOL', ...(hasApprovals ? ['APPROVAL'] : []), 'WHAT IT DOES'],
            found.map(({ name, approval, description, title }): Part[] => [
              painted('cyan', name),
              ...(hasApprovals ? [approval ?? ''] : []),
              description ?? title ?? '',
            ]),
            { width: out.width, prose: 'WHAT IT DOES' },
          ),
    );
    // Missing tools are not part of the result, but must be visible even if stdout is piped.
    for (const part of leftOut) {
      const name = part.slug ?? part.connectorId;
      const needsAccount = part.failure?.kind === 'connection_required';
      const reason = needsAccount ? 'You must first connect your account there.' : reasonOf(part);
      out.note([painted('yellow', 'Left out: '), `${name}: ${reason}`]);
      if (needsAccount) out.note(nextLine(context.next(`legate tools --connector ${name}`)));
    }
    if (found.length > 0 || leftOut.length > 0) return EXIT.done;
    if (options.agent === undefined)
      out.note('There are no tools.', nextLine(context.next('legate connectors list')));
    else
      out.note(
        `The agent ${options.agent} has no tools. It may be bound to no connector: an administrator binds it, in the console under Agents or at the management API.`,
        nextLine(bindCommand(context, hub.identity, options.agent)),
      );
    return EXIT.done;
  },
});

const bindCommand = (context: Context, identity: Identity, agent: string): string =>
  apiCommand(
    context,
    identity,
    `agents/${quote(agent)}/connectors/<connector_id>`,
    ` -X PUT -H 'Content-Type: application/json' -d '{"approval":"always"}'`,
  );

const toJson = ({
  name,
  connectorId,
  slug,
  title,
  description,
  approval,
  inputSchema,
  annotations,
}: LegateTool) => ({
  name,
  connector_id: connectorId,
  slug,
  title: title ?? null,
  description: description ?? null,
  approval: approval ?? null,
  annotations,
  input_schema: inputSchema,
});

const leftOutToJson = ({ connectorId, slug, failure, unusable }: LeftOut) => ({
  connector_id: connectorId,
  slug: slug ?? null,
  reason: failure?.kind ?? 'unusable_names',
  detail: failure?.detail ?? null,
  unusable: unusable ?? 0,
});

const reasonOf = ({ failure, unusable = 0 }: LeftOut): string =>
  failure?.detail ?? `${unusable} tools whose names cannot be used`;
