import type { Table } from './command-line/command.ts';
import type { Variables } from './command-line/reference.ts';
import { auditTail } from './commands/audit-tail.ts';
import { call } from './commands/call.ts';
import { completion } from './commands/completion.ts';
import { connectorsAdd } from './commands/connectors/add.ts';
import { connectorsGet } from './commands/connectors/get.ts';
import { connectorsList } from './commands/connectors/list.ts';
import { connectorsRemove } from './commands/connectors/remove.ts';
import { decode } from './commands/decode.ts';
import { doctor } from './commands/doctor.ts';
import { doctorIdp } from './commands/doctor-idp.ts';
import { explain } from './commands/explain.ts';
import { demo, start } from './commands/in-clone.ts';
import { init } from './commands/init.ts';
import { login } from './commands/login.ts';
import { token } from './commands/token.ts';
import { tools } from './commands/tools.ts';
import { whoami } from './commands/whoami.ts';

/** All commands, in the order of the help. */
export const commandTable = (version: string): Table => ({
  version,
  groups: [
    {
      name: 'connectors',
      summary: 'Lists, shows, adds and removes connectors of the organization',
      standard: 'list',
    },
    { name: 'audit', summary: 'Reads the audit trail of the organization' },
  ],
  commands: [
    start,
    demo,
    init,
    login,
    token,
    whoami,
    doctor,
    doctorIdp,
    tools,
    call,
    connectorsList,
    connectorsGet,
    connectorsAdd,
    connectorsRemove,
    auditTail,
    explain,
    decode,
    completion,
  ],
});

export const VARIABLES: Variables = [
  ['LEGATE_HUB', 'Address of the tool hub'],
  ['LEGATE_API', 'Address of the management API'],
  ['LEGATE_ISSUER', 'Address of the identity provider; profiles of other providers are not used'],
  ['LEGATE_TOKEN', 'A token or API key, sent as it is and never renewed'],
  ['LEGATE_PROFILE', 'Name of the profile, instead of `default`'],
  ['LEGATE_USER', 'A user of the development identity provider, as with `--user`'],
  [
    'MANAGEMENT_API_PORT`, `TOOL_HUB_PORT`, `MOCK_IDP_PORT',
    'Ports of a development stack on this computer, if they are not 4000, 4001 and 4002',
  ],
  ['LEGATE_IDP_SECRET', 'Secret of the client that `legate doctor idp` examines, instead of `--secret-file`'],
  ['OUTBOUND_ALLOW', 'Private addresses to which `legate doctor` may connect, as CIDR blocks'],
  [
    'XDG_CONFIG_HOME',
    'Directory that contains the directory `legate` with the profiles, instead of `~/.config`',
  ],
  ['NO_COLOR', 'Any value: no colours'],
];
