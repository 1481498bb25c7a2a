import { LEGACY_REVISIONS, MODERN_REVISION } from '@legate/mcp-client';

const SERVER_INFO = { name: 'legate-tool-hub', title: 'Legate tool hub', version: '0.1.0' };
const CAPABILITIES = {
  tools: { listChanged: false },
  resources: { subscribe: false, listChanged: false },
  prompts: { listChanged: false },
  completions: {},
};
const INSTRUCTIONS =
  'Everything here is done as the signed-in user. What is missing in a list, and why, stands in its _meta under ' +
  'legate/left_out.';
/** The hub's description does not change while it runs. */
const DISCOVERY_TTL_MS = 3_600_000;

/** Answers `server/discover`. */
export const discovery = (): string =>
  JSON.stringify({
    resultType: 'complete',
    supportedVersions: [MODERN_REVISION],
    capabilities: { ...CAPABILITIES, logging: {} },
    instructions: INSTRUCTIONS,
    ttlMs: DISCOVERY_TTL_MS,
    cacheScope: 'private',
    _meta: { 'io.modelcontextprotocol/serverInfo': SERVER_INFO },
  });

/**
 * Answers `initialize`: the agent's revision if we support it, otherwise our newest; the agent decides whether to
 * continue.
 */
export const initialization = (requested: unknown): string =>
  JSON.stringify({
    protocolVersion: LEGACY_REVISIONS.find((known) => known === requested) ?? LEGACY_REVISIONS[0],
    capabilities: CAPABILITIES,
    serverInfo: SERVER_INFO,
    instructions: INSTRUCTIONS,
  });
