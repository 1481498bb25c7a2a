import { LEGACY_REVISIONS, MODERN_REVISION, membersOf, writeObject } from '@legate/mcp-client';
import { type Problem, VERSION } from '@legate/service';
import type { Connector } from '../../domain/connector.ts';
import { slugOf } from '../../domain/listed-name.ts';
import { problemMembers } from '../../refusals/rpc-error.ts';
import { PROBLEM_KEY } from './results.ts';
import {
  CAPABILITIES,
  type Capability,
  NOTIFIED_CHANGES,
  type NotifiedChange,
  SERVER_INFO_KEY,
  type ServerDescription,
} from './server-description.ts';

/** A server's description of itself for an agent */
export interface Presentation {
  /** JSON text of an object */
  readonly info: string;
  readonly instructions: string | undefined;
  readonly serves: readonly Capability[];
  /** What agents of the modern revision can subscribe to */
  readonly notifies: readonly NotifiedChange[];
  /** JSON text of an object */
  readonly extensions?: string | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Milliseconds for which an agent may cache the description */
  readonly ttlMs: number;
}

const HUB_INFO = { name: 'legate-tool-hub', title: 'Legate tool hub', version: VERSION };
const HUB = JSON.stringify(HUB_INFO);
/** Key of the intermediary between an agent and the server that `serverInfo` names */
const VIA_KEY = 'legate/via';
const INSTRUCTIONS =
  'Every call is made as the signed-in user. If a list is incomplete, its _meta says what is missing, and why, under ' +
  'legate/left_out.';
/** Maximum time in cache, since connectors are added and removed while the hub runs */
export const MAX_TTL_MS = 60_000;
const MAX_CONNECTORS = 25;
const MAX_NAME_LENGTH = 64;

/**
 * Describes the hub with all connectors. The text contains only what administrators have entered, and nothing of tool
 * servers.
 */
export function presentHub(connectors: ReadonlyMap<string, Connector>): Presentation {
  const named = [...connectors.values()].map(
    (connector) => `${slugOf(connector)}: ${oneLine(connector.name)}`,
  );
  const shown = named.sort().slice(0, MAX_CONNECTORS);
  const more = named.length > shown.length ? [`and ${named.length - shown.length} more`] : [];
  const text = 'Names of tools and prompts begin with the short name of their tool server:';
  const instructions =
    named.length === 0 ? INSTRUCTIONS : [INSTRUCTIONS, '', text, ...shown, ...more].join('\n');
  return { info: HUB, instructions, serves: CAPABILITIES, notifies: NOTIFIED_CHANGES, ttlMs: MAX_TTL_MS };
}

/** Describes one tool server, with the hub in between. */
export const presentServer = (
  { info, instructions, serves, notifies = [], extensions }: ServerDescription,
  connector: Connector,
  ttlMs: number,
): Presentation => ({
  info: info ?? HUB,
  instructions,
  // An agent that is bound to single tools may use only those.
  serves: connector.binding?.tools ? serves.filter((name) => name === 'tools') : serves,
  notifies: connector.binding?.tools ? notifies.filter((change) => change === 'tools') : notifies,
  extensions,
  meta: { [VIA_KEY]: { ...HUB_INFO, connector_id: connector.id } },
  ttlMs,
});

/** Describes the hub in place of a tool server that cannot be asked. */
export const presentFailure = (problem: Problem): Presentation => ({
  info: HUB,
  instructions: INSTRUCTIONS,
  serves: CAPABILITIES,
  notifies: NOTIFIED_CHANGES,
  meta: { [PROBLEM_KEY]: problemMembers(problem) },
  ttlMs: 0,
});

/** Answers `server/discover`. */
export const discovery = ({
  info,
  instructions,
  serves,
  notifies,
  extensions,
  meta,
  ttlMs,
}: Presentation): string =>
  textOf({
    resultType: '"complete"',
    supportedVersions: JSON.stringify([MODERN_REVISION]),
    capabilities: capabilitiesOf(serves, notifies, extensions),
    instructions: JSON.stringify(instructions),
    ttlMs: String(ttlMs),
    cacheScope: '"private"',
    _meta: writeObject([[SERVER_INFO_KEY, info], ...membersOf(JSON.stringify(meta ?? {}))]),
  });

/**
 * Answers `initialize` with the agent's revision if the hub supports it, otherwise with the newest one; the agent
 * decides whether to continue. Logging is not announced, because a log level would be state, and neither are
 * subscriptions.
 */
export const initialization = (
  requested: unknown,
  { info, instructions, serves, extensions, meta }: Presentation,
): string =>
  textOf({
    protocolVersion: JSON.stringify(
      LEGACY_REVISIONS.find((known) => known === requested) ?? LEGACY_REVISIONS[0],
    ),
    capabilities: capabilitiesOf(
      serves.filter((name) => name !== 'logging'),
      [],
      extensions,
    ),
    serverInfo: info,
    instructions: JSON.stringify(instructions),
    _meta: meta && JSON.stringify(meta),
  });

/** @param members JSON texts; undefined: left out */
const textOf = (members: Readonly<Record<string, string | undefined>>): string =>
  writeObject(
    Object.entries(members).flatMap(([name, json]) => (json === undefined ? [] : [[name, json] as const])),
  );

const capabilitiesOf = (
  serves: readonly Capability[],
  notifies: readonly NotifiedChange[],
  extensions: string | undefined,
): string =>
  writeObject([
    ...serves.map((name) => [name, JSON.stringify(capabilityOf(name, notifies))] as const),
    ...(extensions === undefined ? [] : [['extensions', extensions] as const]),
  ]);

function capabilityOf(name: Capability, notifies: readonly NotifiedChange[]): object {
  if (name === 'completions' || name === 'logging') return {};
  const listChanged = notifies.includes(name);
  return name === 'resources' ? { subscribe: notifies.includes('subscribe'), listChanged } : { listChanged };
}

const oneLine = (name: string): string =>
  name
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME_LENGTH);
