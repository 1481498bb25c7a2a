import { defineCommand } from '../../command-line/command.ts';
import { EXIT } from '../../command-line/exit-codes.ts';
import { IDENTITY_OPTIONS } from '../../identity/identity.ts';
import { findConnector } from '../../services/connectors.ts';
import { openManagementApi } from '../../services/management-api.ts';
import { allConnectors } from './all-connectors.ts';
import { connectorLines } from './connector-lines.ts';

export const connectorsGet = defineCommand({
  name: 'connectors get',
  summary: 'Shows one connector',
  arguments: [{ name: 'connector', summary: 'its id or short name', isRequired: true }],
  options: IDENTITY_OPTIONS,
  json: 'the connector, as the management API returns it',
  examples: [{ typed: 'legate connectors get reference', does: 'Shows its settings and its state.' }],
  async run({ options, args }, context) {
    const connector = findConnector(
      await allConnectors(await openManagementApi(context, options)),
      args.connector,
    );
    context.out.result(connector, () => connectorLines(connector));
    return EXIT.done;
  },
});
