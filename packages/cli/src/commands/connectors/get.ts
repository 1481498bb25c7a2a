import { defineCommand } from '../../command-line/command.ts';
import { EXIT } from '../../command-line/exit-codes.ts';
import { IDENTITY_OPTIONS } from '../../identity/identity.ts';
import { openManagementApi } from '../../services/management-api.ts';
import { connectorLines } from './connector-lines.ts';

export const connectorsGet = defineCommand({
  name: 'connectors get',
  summary: 'Shows one connector',
  arguments: [{ name: 'id', summary: 'id of the connector', isRequired: true }],
  options: IDENTITY_OPTIONS,
  json: 'the connector, as the management API returns it',
  examples: [{ typed: 'legate connectors get con_reference', does: 'Shows its settings and its state.' }],
  async run({ options, args }, context) {
    const { client, read } = await openManagementApi(context, options);
    const connector = read(
      await client.GET('/connectors/{connector_id}', { params: { path: { connector_id: args.id } } }),
    );
    context.out.result(connector, () => connectorLines(connector));
    return EXIT.done;
  },
});
