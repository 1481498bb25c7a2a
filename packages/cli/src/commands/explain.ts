import type { Explanation } from '@legate/client';
import { explainToken } from '@legate/jwt/claims';
import { type Context, defineCommand } from '../command-line/command.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import { agentProof } from '../services/agent-proof.ts';
import { HUB_OPTIONS, openHub } from '../services/hub.ts';
import { type Line, nextLine, painted } from '../terminal/output.ts';
import { oneLine } from '../terminal/plain.ts';
import { timeText } from '../terminal/time.ts';

export const explain = defineCommand({
  name: 'explain',
  summary: 'Explains how a call ended: what happened, where, and who can help',
  description: [
    'For the user who made the call, and for administrators of the organization. The id is in each response of the hub (`Legate-Call-Id`), in errors of `legate call` once the call was sent, and in the audit trail.',
  ],
  arguments: [{ name: 'call_id', summary: 'id of the call', isRequired: true }],
  options: HUB_OPTIONS,
  json: 'the explanation as JSON',
  examples: [{ typed: 'legate explain evt_01KB1N5Y3X7A9C2E4G6J8M0P2R', does: 'Explains one call.' }],
  async run({ options, args }, context) {
    const { legate, identity, fail } = await openHub(context, options);
    const explanation = await legate.explain(args.call_id, { signal: context.io.signal });
    if (explanation.kind !== 'explanation') return fail(explanation);
    const self = readSelf(await identity.idToken());
    context.out.result(toJson(explanation), () => toLines(explanation, self, context.next));
    return EXIT.done;
  },
});

/** Id and e-mail address of the user who asks. The hub has only the ids of users. */
interface Self {
  readonly sub: unknown;
  readonly email: unknown;
}

/** Reads an ID token, without verifying it. Returns undefined for a token that is not a JWT. */
function readSelf(token: string): Self | undefined {
  try {
    const { claims } = explainToken(token);
    const claim = (wanted: string) => claims.find(({ name }) => name === wanted)?.value;
    return { sub: claim('sub'), email: claim('email') };
  } catch {
    return undefined;
  }
}

/** The place where a call was decided, by the stable name of the leg */
const PLACES: Readonly<Record<string, string>> = {
  caller: 'at the hub, because of the request itself',
  registry: "at the hub, by the organization's configuration",
  binding: "at the hub, by the agent's bindings",
  cache: 'at the hub, with a cached token',
  idp: 'at the identity provider',
  authorization_server: 'at the authorization server of the tool server',
  tool_server: 'at the tool server',
  hub: 'at the hub, because of an internal error',
};

const OUTCOMES: Readonly<Record<string, string>> = {
  granted: 'was allowed',
  denied: 'was refused',
  unsupported: 'was refused: it cannot be made in this way',
  expired: 'was refused: the user must sign in again, or connect an account',
  unavailable: 'failed: something did not answer',
  misconfigured: 'failed: something is not set up correctly',
  tool_error: 'was allowed, and the tool server reported an error',
};

const THINGS: Readonly<Record<string, string>> = {
  prompt: 'a prompt',
  resource: 'a resource',
  delegation: 'a list',
};

/** Names a request that calls no tool, by the action of its audit event. */
function requestFor(action = ''): string {
  const thing = THINGS[action.split('.')[0] ?? ''];
  return `The request for ${thing ?? 'a list, a prompt or a resource'}`;
}

/** Formats an explanation. Like `legate audit tail`, it shows names where they are known, and otherwise ids. */
function toLines(explanation: Explanation, self: Self | undefined, next: Context['next']): Line[] {
  const { action, tool, connectorId, occurredAt, userId, clientId, isAgentAuthenticated } = explanation;
  const { outcome, leg, rule, summary, remedy, reason, doctor } = explanation;
  const user = userId === self?.sub && typeof self?.email === 'string' ? self.email : userId;
  const agent = explanation.agentName ?? explanation.agentId;
  const connector = explanation.connectorName ?? connectorId;
  const called = [
    tool === undefined ? requestFor(action) : `The call to ${tool}`,
    ...(connector ? [`of ${oneLine(connector)}`] : []),
  ].join(' ');
  const who = [
    user && oneLine(user),
    agent && `by agent ${oneLine(agent)} ${agentProof(isAgentAuthenticated)}`,
    clientId && `through ${clientId}`,
  ];
  return [
    `${called} at ${timeText(occurredAt)} ${OUTCOMES[outcome] ?? `ended as ${outcome}`}.`,
    '',
    [painted('bold', 'Who: '), `${who.filter(Boolean).join(', ')}.`],
    [painted('bold', 'What: '), summary],
    [painted('bold', 'Where: '), `${PLACES[leg] ?? leg} (${rule})${reason ? `: ${reason}` : ''}.`],
    [painted('bold', 'What helps: '), remedy],
    ...(doctor && connectorId ? [nextLine(next(`legate doctor --connector ${connectorId}`))] : []),
  ];
}

const toJson = (explanation: Explanation) => ({
  call_id: explanation.callId,
  action: explanation.action ?? null,
  occurred_at: explanation.occurredAt,
  user_id: explanation.userId ?? null,
  client_id: explanation.clientId ?? null,
  agent_id: explanation.agentId ?? null,
  agent_name: explanation.agentName ?? null,
  agent_authenticated: explanation.isAgentAuthenticated,
  connector_id: explanation.connectorId ?? null,
  connector_name: explanation.connectorName ?? null,
  tool: explanation.tool ?? null,
  outcome: explanation.outcome,
  leg: explanation.leg,
  rule: explanation.rule,
  summary: explanation.summary,
  remedy: explanation.remedy,
  reason: explanation.reason ?? null,
});
