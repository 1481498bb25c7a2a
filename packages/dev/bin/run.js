#!/usr/bin/env node
// npm start, demo, doctor, settings and bench: builds what changed, then runs the command.
import { build } from './build.js';
import { readCommandLine, refuse } from './command-line.js';

const ENVIRONMENT = `In the environment:
  MANAGEMENT_API_PORT, TOOL_HUB_PORT, MOCK_IDP_PORT, REFERENCE_MCP_SERVER_PORT
                             where the services listen: 4000, 4001, 4002, 4003
  DATABASE_URL, REDIS_URL    stores of your own, in the place of the embedded ones
  LEGATE_DATA_DIR            where the embedded database and the logs are: .legate
  LOG_LEVEL                  of the services: info
  NO_COLOR                   any value: without colours
`;

/** Commands without arguments */
const HELP = {
  start: `npm start

Builds and starts the four services, tells the story of a tool call, and stays up until Ctrl-C.

${ENVIRONMENT}`,
  demo: `npm run demo

Tells the story of a tool call on the stack that runs; where none does, on one that it starts and stops again.

${ENVIRONMENT}`,
  settings: `npm run settings

Writes docs/operations/settings.md, the page of every setting of every service, as the code has them.
`,
};

/** Commands that read their arguments themselves, and what they need of all that could be built */
const BUILT = { doctor: ['@legate/dev', '@legate/tool-hub'], bench: [] };

const [command = 'start', ...args] = process.argv.slice(2);
if (Object.hasOwn(HELP, command)) {
  const typed = command === 'start' ? 'npm start' : `npm run ${command}`;
  readCommandLine(typed, HELP[command], args);
} else if (!Object.hasOwn(BUILT, command)) refuse('npm start', `${command} is no command`);

build(BUILT[command]);
const { main } = await import('../dist/main.js');
await main(command, args);
