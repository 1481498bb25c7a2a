import { parseArgs } from 'node:util';
import { startIdentityProvider } from './identity-provider.mjs';
import { runCases } from './run-cases.mjs';

const HELP = `Usage: npm start -- <url of the MCP endpoint> --scope <scope> [options]

Starts an identity provider at http://127.0.0.1:<idp-port>, and runs cases.json against a tool server.
The tool server must trust that issuer, and have the client. Its secret is in CLIENT_SECRET.

  --scope <scope>       a scope that the server has, and that its access tokens need
  --resource <uri>      its resource identifier (default: the origin of the URL)
  --client-id <id>      the client (default: tool-hub)
  --idp-port <port>     port of the identity provider (default: 4100)
  --tool <name>         a tool that needs another scope than --scope, for duty 10
  --tool-scope <scope>  the scope that this tool needs
  --json                print the results as JSON
  --help                print this text

Exit code: 0 if no case failed, 1 if one did, 2 for a wrong command.`;

const options = {
  scope: { type: 'string' },
  resource: { type: 'string' },
  'client-id': { type: 'string', default: 'tool-hub' },
  'idp-port': { type: 'string', default: '4100' },
  tool: { type: 'string' },
  'tool-scope': { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

async function main() {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help) return say(HELP);
  const [endpoint] = positionals;
  const clientSecret = process.env.CLIENT_SECRET;
  const required = { 'the URL': endpoint, '--scope': values.scope, CLIENT_SECRET: clientSecret };
  const missing = Object.keys(required).filter((name) => !required[name]);
  if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')}`);
  const idp = await startIdentityProvider(Number(values['idp-port']));
  try {
    const results = await runCases({
      endpoint,
      idp,
      resource: values.resource ?? new URL(endpoint).origin,
      clientId: values['client-id'],
      clientSecret,
      scope: values.scope,
      tool: values.tool,
      toolScope: values['tool-scope'],
    });
    print(results, values.json);
    if (results.some(({ status }) => status === 'failed')) process.exitCode = 1;
  } finally {
    await idp.close();
  }
}

function say(text) {
  process.stdout.write(`${text}\n`);
}

function print(results, asJson) {
  if (asJson) return say(JSON.stringify(results, null, 2));
  for (const { id, duty, title, status, details } of results) {
    say(`${status.padEnd(8)}${String(duty).padStart(2)}  ${id.padEnd(22)}${title}`);
    for (const detail of details) say(`            ${detail}`);
  }
  const count = (wanted) => results.filter(({ status }) => status === wanted).length;
  say(`${count('ok')} ok, ${count('failed')} failed, ${count('skipped')} skipped`);
}

main().catch((err) => {
  process.stderr.write(`${err.message}\n\n${HELP}\n`);
  process.exitCode = 2;
});
