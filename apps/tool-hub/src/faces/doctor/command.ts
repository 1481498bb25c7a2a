import { parseArgs, types } from 'node:util';
import { createHttpClient, type HttpClient } from '@legate/service';
import { mcpUrlOf } from '../../domain/connector.ts';
import type { Check, Target } from './examination.ts';
import { examine } from './examine.ts';
import { printReport } from './print-report.ts';
import { isHttpUrl } from './probe.ts';
import { skipped } from './report.ts';
import { toWire } from './routes.ts';

const HELP = `npm run -s doctor -- <url> [--json]

Looks at a tool server from outside, as the hub does, and names the first fault with its remedy.
<url> is its MCP endpoint or its resource identifier. Loopback addresses may be reached; others of a private
network are named in OUTBOUND_ALLOW (CIDR blocks, separated by commas). --json prints the report for programs.
Exit code: 0 without a fault, 1 with one, 2 when the command itself is wrong.
`;

const ONLY_AT_A_HUB = 'Only a hub can do this, as a user: POST /api/v1/connectors/{id}/doctor.';

const INSIDE = (['token_exchange', 'id_jag', 'redemption', 'tools_list'] as const).map(
  (check): Check => ({ check, run: () => skipped(ONLY_AT_A_HUB) }),
);

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * The doctor for developers of tool servers, who need no Legate service.
 * @returns the exit code
 */
export async function doctorCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  out: { readonly stdout: Output; readonly stderr: Output },
): Promise<number> {
  const { stdout, stderr } = out;
  const asked = parse(args);
  if ('fault' in asked) {
    stderr.write(`${asked.fault}; npm run doctor -- --help lists the options\n`);
    return 2;
  }
  if (asked.help) {
    stdout.write(HELP);
    return 0;
  }
  const http = createClient(env.OUTBOUND_ALLOW ?? '');
  if (!http) {
    stderr.write('OUTBOUND_ALLOW is not a list of CIDR blocks.\n');
    return 2;
  }
  try {
    const report = await examine(targetOf(asked.url), { fetch: http.fetch, clock: () => new Date() }, INSIDE);
    const colours = stdout.isTTY === true && !env.NO_COLOR;
    stdout.write(
      asked.json
        ? `${JSON.stringify({ url: asked.url, ...toWire(report, true) }, undefined, 2)}\n`
        : printReport(asked.url, report, colours),
    );
    return report.status === 'fail' ? 1 : 0;
  } finally {
    await http.dispatcher.destroy();
  }
}

function createClient(allow: string): HttpClient | undefined {
  const blocks = allow.split(',').flatMap((block) => block.trim() || []);
  try {
    return createHttpClient({ allow: ['loopback', ...blocks] });
  } catch {
    return undefined;
  }
}

type Asked = { readonly help: boolean; readonly url: string; readonly json: boolean };

function parse(args: readonly string[]): Asked | { readonly fault: string } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const [url = '', more] = positionals;
    if (!values.help && more !== undefined)
      return { fault: `One URL at a time, and ${more} is a second one` };
    if (!values.help && (!isHttpUrl(url) || /[?#]/.test(url)))
      return {
        fault: url ? `${url} is not the URL of a tool server` : 'The URL of a tool server is missing',
      };
    return { ...values, url };
  } catch (err) {
    if (!types.isNativeError(err)) throw err;
    return { fault: err.message.split('. ')[0] ?? err.message }; // the rest is advice for authors of such programs
  }
}

/** Returns the target for a URL, which may be the endpoint or the resource; the server's own metadata decides. */
export function targetOf(url: string): Target {
  const mcpUrl = mcpUrlOf(url);
  const base = mcpUrl.replace(/\/mcp\/?$/, '');
  const others = [mcpUrl, base].filter((one) => one !== url && URL.canParse(one));
  return {
    mcpUrl,
    resources: [url, ...others],
    issuer: undefined,
    isPublicClient: false,
    scopes: undefined,
    clientAuthMethod: undefined,
    hasAuthorizationServer: true,
    usesIdJag: true,
    consent: undefined,
  };
}
