import { base64url } from 'jose';
import { runCli } from '../command-line/run.ts';
import { commandTable } from '../command-table.ts';
import type { Io } from '../terminal/io.ts';

export const NOW = new Date('2026-11-25T12:00:00.000Z');
export const ISSUER = 'http://localhost:4002';
export const HUB = 'http://localhost:4001';
export const API = 'http://localhost:4000';

/** A token with the members that this program reads. Its signature is not verified. */
export const unsigned = (claims: object, header: object = { alg: 'RS256', typ: 'JWT' }): string =>
  `${base64url.encode(JSON.stringify(header))}.${base64url.encode(JSON.stringify(claims))}.c2lnbmF0dXJl`;

export const secondsFromNow = (seconds: number): number => NOW.getTime() / 1000 + seconds;

export const ALICE = {
  iss: ISSUER,
  sub: 'user_alice',
  email: 'alice@acme.example',
  name: 'Alice',
  organization_id: 'org_acme',
  roles: ['owner'],
  exp: secondsFromNow(3600),
};
export const ID_TOKEN = unsigned(ALICE);
export const API_TOKEN = unsigned({ ...ALICE, aud: API }, { alg: 'RS256', typ: 'at+jwt' });

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

type Answer = Response | object | ((sent: Sent) => Response | object | Promise<Response | object>);
/** Responses by method and URL, such as `GET http://localhost:4001/api/v1/connectors`; the query may be omitted */
export type Routes = Readonly<Record<string, Answer>>;

/** The responses of the development identity provider that commands need */
export const DEVELOPMENT: Routes = {
  [`GET ${ISSUER}/.well-known/openid-configuration`]: { issuer: ISSUER },
  [`POST ${ISSUER}/admin/id-tokens`]: { id_token: ID_TOKEN, expires_in: 3600 },
  [`POST ${ISSUER}/admin/access-tokens`]: { access_token: API_TOKEN, expires_in: 3600 },
};

export interface Given {
  readonly routes?: Routes;
  readonly env?: NodeJS.ProcessEnv;
  readonly stdin?: string;
  /** The input on the terminal; undefined: there is no terminal */
  readonly answer?: string;
  readonly isTTY?: boolean;
  /** Columns of the terminal */
  readonly columns?: number;
  readonly io?: Partial<Io>;
}

/** Runs a command line with responses that the test defines. */
export async function runTyped(args: readonly string[], given: Given = {}) {
  const written = { stdout: '', stderr: '' };
  const sent: Sent[] = [];
  const asked: string[] = [];
  const hasTerminal = given.answer !== undefined || given.isTTY === true;
  const stream = (name: 'stdout' | 'stderr') => ({
    isTTY: hasTerminal,
    columns: given.columns,
    write: (text: string) => {
      written[name] += text;
    },
  });
  const io: Io = {
    stdin: Object.assign(stdinOf(given.stdin ?? ''), { isTTY: hasTerminal }),
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    env: { XDG_CONFIG_HOME: '/nowhere', NO_COLOR: '1', ...given.env },
    cwd: '/',
    clone: () => undefined,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const one = {
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: await request.text(),
      };
      sent.push(one);
      const routes = given.routes ?? DEVELOPMENT;
      const route = `${one.method} ${one.url}`;
      const found = routes[route] ?? routes[route.replace(/\?.*/, '')];
      if (found === undefined) throw new TypeError('fetch failed');
      const answer = typeof found === 'function' ? await found(one) : found;
      return answer instanceof Response ? answer : Response.json(answer);
    },
    clock: () => NOW,
    signal: new AbortController().signal,
    wait: async () => {},
    openBrowser: async () => false,
    runNode: async () => 0,
    ask: async (question) => {
      asked.push(question);
      return given.answer ?? '';
    },
    ...given.io,
  };
  const code = await runCli(commandTable('1.2.3'), args, io);
  return { code, ...written, sent, asked };
}

async function* stdinOf(text: string): AsyncGenerator<string> {
  yield text;
}

export const problem = (status: number, members: object, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify({ status, title: 'Problem', ...members }), {
    status,
    headers: { 'Content-Type': 'application/problem+json', ...headers },
  });

/** Connectors and tools in the responses of a hub */
export const hubWith = (tools: readonly object[], routes: Routes = {}): Routes => ({
  ...DEVELOPMENT,
  [`GET ${HUB}/api/v1/connectors`]: {
    data: [{ id: 'con_notes', slug: 'notes' }],
    pagination: { total: 1, limit: 100, offset: 0, has_more: false },
  },
  [`GET ${HUB}/api/v1/connectors/con_notes/tools`]: { tools },
  ...routes,
});
