import { defineCommand } from '../../command-line/command.ts';
import { EXIT } from '../../command-line/exit-codes.ts';
import { IDENTITY_OPTIONS } from '../../identity/identity.ts';
import { openManagementApi } from '../../services/management-api.ts';
import { nextLine, type Part, painted } from '../../terminal/output.ts';
import { table } from '../../terminal/table.ts';
import { allConnectors } from './all-connectors.ts';

export const connectorsList = defineCommand({
  name: 'connectors list',
  summary: 'Lists the connectors of the organization',
  arguments: [],
  options: IDENTITY_OPTIONS,
  json: 'an array of connectors, as the management API returns them',
  examples: [
    { typed: 'legate connectors', does: 'Lists them: `connectors` is short for `connectors list`.' },
  ],
  async run({ options }, context) {
    const all = await allConnectors(await openManagementApi(context, options));
    context.out.result(all, () =>
      table(
        ['ID', 'SHORT NAME', 'NAME', 'METHOD', 'STATUS', 'TOOL SERVER'],
        all.map(({ id, slug, name, auth_method, status, enabled, resource_url }): Part[] => [
          painted('cyan', id),
          slug,
          name,
          auth_method,
          enabled ? status : 'disabled',
          resource_url,
        ]),
        { width: context.out.width, prose: 'NAME' },
      ),
    );
    if (all.length === 0)
      context.out.note('There are no connectors.', nextLine('legate connectors add --help'));
    return EXIT.done;
  },
});
