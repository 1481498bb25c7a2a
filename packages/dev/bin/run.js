#!/usr/bin/env node
// npm start, demo, doctor, register, settings and bench: builds what changed, then runs the command.
import { build } from './build.js';
import { readCommandLine, refuse } from './command-line.js';

const ENVIRONMENT = `Environment variables:
  MANAGEMENT_API_PORT, TOOL_HUB_PORT, MOCK_IDP_PORT, REFERENCE_MCP_SERVER_PORT, CONSOLE_PORT
                             where the services listen: 4000, 4001, 4002, 4003, 4004
  DATABASE_URL, REDIS_URL    your own stores instead of the embedded ones
  LEGATE_DATA_DIR            directory of the embedded database and the logs: .legate
  LOG_LEVEL                  log level of the services: info
  NO_COLOR                   any value: without colours
`;

/** Commands whose arguments are parsed here, before the build */
const HELP = {
  start: `npm start

Builds and starts the five services, runs the demo of a tool call, and keeps running until Ctrl-C.

Options:
  --idp NAME                 identity provider to imitate: okta, pingfederate, keycloak, auth0, entra, google, workos,
                             or strict, the draft of ID-JAGs to the letter

${ENVIRONMENT}`,
  demo: `npm run demo\n\nRuns the demo of a tool call on the running stack; if there is none, starts one and stops it afterwards.\n\n${ENVIRONMENT}`,
  settings: `npm run settings

Writes docs/operations/settings.md, the page of every setting of every service, as the code has them.
`,
};

/** Commands that parse their arguments themselves, with the workspaces that they need */
const BUILT = { doctor: ['@legate/dev', '@legate/cli'], bench: [], register: ['@legate/dev'] };

let [command = 'start', ...args] = process.argv.slice(2);
if (Object.hasOwn(HELP, command)) {
  const typed = command === 'start' ? 'npm start' : `npm run ${command}`;
  const options = command === 'start' ? { idp: { type: 'string' } } : {};
  const { values } = readCommandLine(typed, HELP[command], args, { options });
  args = values.idp === undefined ? [] : [values.idp];
} else if (!Object.hasOwn(BUILT, command)) refuse('npm start', `${command} is no command`);

build(BUILT[command]);
const { main } = await import('../dist/main.js');
await main(command, args);
