import { CliError } from '../../command-line/cli-error.ts';
import { defineCommand, flag } from '../../command-line/command.ts';
import { EXIT } from '../../command-line/exit-codes.ts';
import { IDENTITY_OPTIONS } from '../../identity/identity.ts';
import { findConnector } from '../../services/connectors.ts';
import { openManagementApi } from '../../services/management-api.ts';
import { allConnectors } from './all-connectors.ts';

export const connectorsRemove = defineCommand({
  name: 'connectors remove',
  summary: 'Deletes a connector, after asking',
  description: [
    'Agents lose the tools of the connector at once. Within 30 days you can restore it through the management API, with its secret and the agents that use it.',
  ],
  arguments: [{ name: 'connector', summary: 'its id or short name', isRequired: true }],
  options: { yes: flag('do not ask'), ...IDENTITY_OPTIONS },
  json: '`{"id", "removed": true}`',
  examples: [{ typed: 'legate connectors remove notes', does: 'Shows what will be deleted, and asks.' }],
  async run({ options, args }, context) {
    const { io, out, typed } = context;
    const api = await openManagementApi(context, options);
    const { id, name, resource_url } = findConnector(await allConnectors(api), args.connector);
    if (!options.yes) {
      if (!io.stdin.isTTY || !io.stderr.isTTY)
        throw new CliError({
          exitCode: EXIT.usage,
          code: 'confirmation_required',
          message: 'Deleting needs a confirmation, and there is no terminal to ask on.',
          next: `${typed} --yes`,
        });
      out.note(`This deletes ${name} (${resource_url}). Agents lose its tools.`);
      if (!/^y(es)?$/i.test((await io.ask('Delete it? (y/N) ')).trim())) {
        out.note('Nothing was deleted.');
        return EXIT.done;
      }
    }
    api.read(
      await api.client.DELETE('/connectors/{connector_id}', { params: { path: { connector_id: id } } }),
    );
    out.result({ id, removed: true }, () => [`${name} is deleted.`]);
    return EXIT.done;
  },
});
