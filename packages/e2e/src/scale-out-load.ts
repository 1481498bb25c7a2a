import { setTimeout as delay } from 'node:timers/promises';
import { createLegs, type Exchange, exchange, member, scene, signIn } from '@legate/dev';
import { eventually } from '@legate/testing';
import { SERVED_BY } from './scale-out-proxy.ts';
import type { ScaledStack } from './scale-out-stack.ts';

export type Kind = 'call' | 'agent' | 'list' | 'sign-out' | 'sign-in';

/** One request of a client and its response. */
export interface Answered {
  readonly kind: Kind;
  /** 0: there was none */
  readonly status: number;
  readonly succeeded: boolean;
  readonly what: string;
  readonly callId: string | undefined;
  /** The replica of the requested service */
  readonly servedBy: number | undefined;
  /** Time on the scale of `performance.now()` */
  readonly endedAt: number;
  readonly ms: number;
}

export interface Load {
  readonly answers: readonly Answered[];
  /** Waits until each kind has that many more responses. */
  untilMore(count: number): Promise<void>;
  stop(): Promise<void>;
}

const PATIENCE_MS = 40_000;
/** Pause between two requests of a client: keeps the load steady on a machine that also does other work */
const PAUSE_MS = 20;
/** Pause between sign-ins, which are expensive by design (scrypt) */
const SIGN_IN_PAUSE_MS = 400;
const TOOLS = ['whoami', 'list_sites'];
const MCP_REVISION = '2026-07-28';

/**
 * The daily traffic of applications, agents, administrators and people: tool calls (after a sign-out with a new token),
 * lists, and sign-ins. Several clients send one request at a time each.
 */
export function startLoad(
  stack: ScaledStack,
  tokens: {
    /** Access token of an administrator at management-api */
    readonly api: string;
    /** Users who sign out of the hub repeatedly, which cancels their running calls */
    readonly signingOut: readonly (() => Promise<string>)[];
    /** Users who call through the API of the hub */
    readonly staying: readonly string[];
    /** Users whose agents call */
    readonly agents: readonly string[];
  },
): Load {
  const { urls } = stack;
  const legs = createLegs(urls);
  const answers: Answered[] = [];
  let isStopped = false;

  async function note(kind: Kind, ask: () => Promise<Exchange>): Promise<void> {
    const startedAt = performance.now();
    const answer = await ask().catch((err: unknown) => err);
    const endedAt = performance.now();
    const common = { kind, endedAt, ms: endedAt - startedAt };
    if (!isExchange(answer)) {
      const what = String((answer as Error).cause ?? answer);
      answers.push({ ...common, status: 0, succeeded: false, what, callId: undefined, servedBy: undefined });
      return;
    }
    const isError = member(answer.answer, 'isError') ?? member(answer.answer, 'result', 'isError');
    const hasError = isError === true || member(answer.answer, 'error') !== undefined;
    const servedBy = answer.answerHeaders.get(SERVED_BY);
    answers.push({
      ...common,
      status: answer.status,
      succeeded: (answer.status < 300 && !hasError) || isEndedLate(answer),
      what: JSON.stringify(answer.answer).slice(0, 300),
      callId: answer.answerHeaders.get('legate-call-id') ?? undefined,
      servedBy: servedBy === null ? undefined : Number(servedBy),
    });
  }

  async function repeat(pauseMs: number, ask: (round: number) => Promise<void>): Promise<void> {
    for (let round = 0; !isStopped; round += 1) {
      await ask(round);
      await delay(pauseMs);
    }
  }

  const application = (idToken: string) =>
    repeat(PAUSE_MS, (round) => note('call', () => legs.callThroughHub(idToken, TOOLS[round % 2] ?? '')));
  const signingOut = (signIn: () => Promise<string>) =>
    repeat(PAUSE_MS, async (round) => {
      // Other requests measure the effect of replacing the identity provider.
      const idToken = await signIn().catch(() => undefined);
      if (idToken === undefined) return;
      await note('call', () => legs.callThroughHub(idToken, TOOLS[round % 2] ?? ''));
      await note('sign-out', () => legs.signOutOfHub(idToken));
    });
  const agent = (idToken: string) =>
    repeat(PAUSE_MS, () => note('agent', () => callAsAgent(urls['tool-hub'], idToken, 'whoami')));
  const administrator = () =>
    repeat(PAUSE_MS, () =>
      note('list', () =>
        exchange(
          'GET',
          `${urls['management-api']}/api/v1/sites?limit=20`,
          {},
          { Authorization: `Bearer ${tokens.api}` },
        ),
      ),
    );
  const person = () =>
    repeat(SIGN_IN_PAUSE_MS, async () => {
      const startedAt = performance.now();
      const failure = await signIn({ issuer: urls['mock-idp'], email: scene.USERS.bob.email }).then(
        () => undefined,
        (err: unknown) => err,
      );
      const endedAt = performance.now();
      answers.push({
        ...{ kind: 'sign-in', endedAt, ms: endedAt - startedAt, callId: undefined, servedBy: undefined },
        ...{ status: failure ? 0 : 200, succeeded: !failure, what: String(failure ?? '') },
      });
    });

  const clients = Promise.all([
    ...tokens.signingOut.map(signingOut),
    ...tokens.staying.map(application),
    ...tokens.agents.map(agent),
    administrator(),
    person(),
  ]);

  return {
    answers,
    async untilMore(count) {
      const kinds: Kind[] = ['call', 'agent', 'list'];
      const numberOf = (kind: Kind) => answers.filter((answer) => answer.kind === kind).length;
      const before = new Map(kinds.map((kind) => [kind, numberOf(kind)]));
      const areThere = () => kinds.every((kind) => numberOf(kind) >= (before.get(kind) ?? 0) + count);
      await eventually(`${count} more answers of each kind`, areThere, { timeoutMs: PATIENCE_MS });
    },
    async stop() {
      isStopped = true;
      await clients;
    },
  };
}

/**
 * A late sign-out notification may arrive during the next call, and ends it if the store does not know when the call
 * began.
 */
const isEndedLate = ({ answer }: Exchange): boolean => member(answer, 'code') === 'access_revoked';

const isExchange = (value: unknown): value is Exchange =>
  typeof value === 'object' && value !== null && 'answerHeaders' in value;

/** A tool call at the hub's `/mcp` */
function callAsAgent(hubUrl: string, idToken: string, tool: string): Promise<Exchange> {
  const name = scene.toolAtMcp(tool);
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MCP_REVISION,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'an-agent', version: '1' },
  };
  return exchange(
    'POST',
    `${hubUrl}/mcp`,
    {
      json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {}, _meta: meta } },
    },
    {
      Authorization: `Bearer ${idToken}`,
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': MCP_REVISION,
      'Mcp-Method': 'tools/call',
      'Mcp-Name': name,
    },
  );
}
