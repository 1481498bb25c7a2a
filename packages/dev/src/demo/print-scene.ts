import { CONNECTOR, PASSWORD, TOOL_SERVER_CLIENTS, USERS } from '../scene/scene.ts';
import { type ImitatedName, imitatedOrganizationRule } from '../stack/imitated.ts';
import type { ServiceUrls } from '../stack/services.ts';
import type { Printer } from './printer.ts';

/** Prints the first URL to open, once the stack runs. */
export function printConsole(urls: ServiceUrls, print: Printer): void {
  print.say(`Console: ${urls.console}, sign in as ${USERS.alice.email} (password ${PASSWORD})`);
}

/** Prints the data that people need to continue on their own. */
export function printScene(
  urls: ServiceUrls,
  print: Printer,
  /** The identity provider that mock-idp imitates: then there is no onboarding, which the demo needs */
  idp?: ImitatedName,
): void {
  const hasOnboarding = idp === undefined;
  const everybodys = idp && imitatedOrganizationRule(idp) && USERS.alice.organization;
  print.chapter('The stack is up');
  printConsole(urls, print);
  print.line();
  print.table([
    ['management-api', urls['management-api'], 'REST API: sites, agents, members'],
    ['tool-hub', urls['tool-hub'], `tools of connector ${CONNECTOR}`],
    ['mock-idp', urls['mock-idp'], 'sign-in, JWKS, token exchange'],
    ['reference-mcp-server', urls['reference-mcp-server'], 'the tool server, MCP at /mcp'],
  ]);
  print.line();
  print.table(
    Object.values(USERS).map((user) => [
      user.email,
      `password ${PASSWORD}`,
      everybodys ?? user.organization ?? 'no organization',
    ]),
  );
  print.line();
  const mcp = `${urls['tool-hub']}/mcp`;
  const inEditor = { name: 'legate', type: 'http', url: mcp };
  print.table([
    ['Connect Claude Code', `claude mcp add --transport http legate ${mcp}`],
    ['Connect VS Code', `code --add-mcp '${JSON.stringify(inEditor)}'`],
    ['Connect Cursor', `${JSON.stringify({ mcpServers: { legate: { url: mcp } } })} in ~/.cursor/mcp.json`],
  ]);
  print.line();
  print.table([
    ...(hasOnboarding
      ? [
          ['Make an organization', `sign in at the console as ${USERS.dave.email}`],
          ['Add its tools there', `address ${urls['reference-mcp-server']}/mcp`],
          ['', clientOf(TOOL_SERVER_CLIENTS.hub)],
        ]
      : []),
    ['Read the management API', `${urls['management-api']}/api/v1/docs`],
    ['Call a tool by yourself', 'README.md, "Call a tool as a user"'],
    ['Examine a tool server', `npx legate doctor ${urls['reference-mcp-server']}/mcp`],
    ...(hasOnboarding ? [['Run the demo again', 'npm run demo']] : []),
  ]);
}

const clientOf = ({ id, secret }: { id: string; secret: string }) => `client id ${id}, secret ${secret}`;
