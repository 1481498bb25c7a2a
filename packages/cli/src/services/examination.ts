import { stripVTControlCharacters } from 'node:util';
import {
  CHECKS,
  type CheckResult,
  createIdJagMint,
  examineUrl,
  printReport,
  type RedemptionClient,
  type Report,
  redemptionChecks,
  toWire,
} from '@legate/doctor';
import { createHttpClient, type HttpClient } from '@legate/guarded-fetch';
import { CliError, usageError } from '../command-line/cli-error.ts';
import type { Context } from '../command-line/command.ts';
import type { Output } from '../terminal/output.ts';
import { plain } from '../terminal/plain.ts';
import { wrap } from '../terminal/wrap.ts';
import { connectorsAtHub, matchConnector, unknownConnector } from './connectors.ts';
import { openHub } from './hub.ts';

export interface Examined {
  readonly status: Report['status'];
  /** The report for `--json` */
  readonly value: object;
  /** The report for people */
  readonly print: (out: Output) => string;
}

const toExamined = (title: string, subject: object, report: Report, untried?: string): Examined => ({
  status: report.status,
  value: { ...subject, ...toWire(report, true) },
  print: (out) => wrapped(printReport(title, report, out.hasColours, { untried }), out),
});

/** Breaks the lines of a printed report to the width of the terminal. */
export const wrapped = (printed: string, { width }: Output): string =>
  printed
    .split('\n')
    .flatMap((line) => wrap(line, width, { hang: lastColumnOf(line) }))
    .join('\n');

const lastColumnOf = (line: string): number =>
  /^.* {2,}/.exec(stripVTControlCharacters(line))?.[0].length ?? 0;

/** The user whose ID-JAGs are tested at a tool server, and the client that presents them. */
export interface Redemption {
  /** URL of a mock-idp, which mints the ID-JAGs */
  readonly issuer: string;
  readonly client: RedemptionClient;
  readonly user: string;
}

/** The key of the development stack (`npm start`), which is public */
const DEVELOPMENT_ADMIN_KEY = 'mock-idp-dev-admin-key';

/** Examines a tool server from this computer, without the hub. */
export async function examineServer(
  { io, shownBy }: Context,
  url: string,
  redemption: Redemption | undefined,
): Promise<Examined> {
  const http = openClient(io.env.OUTBOUND_ALLOW ?? '', { isLoopbackAllowed: true });
  const fetch = shownBy(http.fetch);
  try {
    const inside = redemption && redemptionsOf(redemption, io.env, fetch);
    return toExamined(url, { url }, await examineUrl(url, { fetch, clock: io.clock }, inside));
  } finally {
    await http.dispatcher.destroy();
  }
}

function redemptionsOf(
  { issuer, client, user }: Redemption,
  env: Context['io']['env'],
  fetch: typeof globalThis.fetch,
) {
  const adminKey = env.IDP_ADMIN_KEY || DEVELOPMENT_ADMIN_KEY;
  const mint = createIdJagMint({ issuer: new URL(issuer).origin, adminKey, user, fetch });
  return redemptionChecks({ mint, client });
}

/** @param allow `OUTBOUND_ALLOW` */
export function openClient(
  allow: string,
  { isLoopbackAllowed }: { readonly isLoopbackAllowed: boolean },
): HttpClient {
  const blocks = allow.split(',').flatMap((block) => block.trim() || []);
  try {
    return createHttpClient({ allow: [...(isLoopbackAllowed ? ['loopback'] : []), ...blocks] });
  } catch {
    throw usageError('OUTBOUND_ALLOW is not a list of CIDR blocks.', 'legate doctor --help');
  }
}

/**
 * Asks the hub to examine a connector, as the user.
 * @param given the connector's id or short name
 */
export async function examineConnector(
  context: Context,
  given: string,
  options: Parameters<typeof openHub>[1],
): Promise<Examined> {
  const hub = await openHub(context, options);
  const connectors = await connectorsAtHub(hub);
  // The hub does not list a connector that it cannot use, but says what is wrong with it.
  const connectorId = matchConnector(connectors, given)?.id ?? given;
  const path = `/api/v1/connectors/${encodeURIComponent(connectorId)}/doctor`;
  const report = Object(
    await hub.request(path, 'POST', {}).catch((err: unknown) => {
      const isUnknown = err instanceof CliError && err.code === 'connector_not_found';
      throw isUnknown ? unknownConnector(connectors, given) : err;
    }),
  );
  const checks: CheckResult[] = (Array.isArray(report.checks) ? report.checks : []).flatMap(toCheck);
  const firstFault = report.first_fault ? toCheck(report.first_fault)[0] : undefined;
  const status = ['ok', 'warn', 'fail'].includes(report.status) ? report.status : 'fail';
  // A delegation ends with the list of tools. Without a fault, only a missing session keeps the hub from trying it.
  const isUntried = checks.some(({ check, status }) => check === 'tools_list' && status === 'skipped');
  return toExamined(
    connectorId,
    { connector_id: connectorId },
    { status, firstFault, checks },
    isUntried ? UNTRIED : undefined,
  );
}

const UNTRIED =
  'No delegation was tried: it needs a token of a session, and you have no session. Set LEGATE_TOKEN to the handle of a session whose sign-in has that token, or call a tool with an MCP client that is signed in at the hub.';
const ASK =
  'Ask an administrator of the organization to run this command: a member with the role owner or admin. A hub without a management API reads the roles from the claim "roles" of the ID token.';

/** Converts a check of the hub's report. Only administrators get its details. */
function toCheck(value: unknown): CheckResult[] {
  const { check, status, detail, remedy, evidence } = Object(value);
  const name = CHECKS.find((known) => known === check);
  const known = (['ok', 'warn', 'fail', 'skipped'] as const).find((each) => each === status);
  if (!name || !known) return [];
  return [
    {
      check: name,
      status: known,
      detail: typeof detail === 'string' ? plain(detail) : 'Administrators of the organization see more.',
      ...(typeof remedy === 'string' ? { remedy: plain(remedy) } : known === 'fail' && { remedy: ASK }),
      evidence: Object.fromEntries(
        Object.entries(Object(evidence)).map(([key, seen]) => [
          plain(key),
          Array.isArray(seen) ? seen.map((each) => plain(String(each))) : plain(String(seen)),
        ]),
      ),
    },
  ];
}
