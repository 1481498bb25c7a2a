import { setTimeout as wait } from 'node:timers/promises';
import { LEGACY_REVISIONS, type LegacyRevision, MODERN_REVISION } from '@legate/mcp-wire';
import type { ClientDescription } from './client-description.ts';
import { HttpFailure } from './http-failure.ts';
import type { SharedSession } from './legacy-sessions.ts';
import type { McpAnswer } from './mcp-answer.ts';
import type { McpCall } from './mcp-target.ts';
import { readAnswer } from './read-answer.ts';
import type { createMessageSender } from './send-message.ts';
import { initializedMessage, initializeMessage } from './wire-message.ts';

/** Milliseconds that a server has to confirm the notification that ends a handshake */
const CONFIRMATION_MS = 500;

/** Opens sessions with `initialize`, the handshake of the revisions before 2026-07-28. */
export function createHandshake(deps: {
  client: ClientDescription;
  sender: ReturnType<typeof createMessageSender>;
}) {
  const { client, sender } = deps;

  /**
   * @param offered revision; default: the newest handshake revision
   * @returns the response to `initialize`, and no session if the server refused it
   * @throws {HttpFailure}
   */
  return async (
    { target, request }: McpCall,
    offered: LegacyRevision | undefined,
  ): Promise<{ readonly answer: McpAnswer; readonly session?: SharedSession }> => {
    const id = sender.nextId();
    const { credential } = target;
    const message = initializeMessage(client, id, credential, offered, request.agent?.extensions);
    const raw = await sender.send(target, message, id);
    const answer = readAnswer(raw, id);
    if (answer.kind !== 'result') return { answer };
    const revision = LEGACY_REVISIONS.find((known) => known === answer.result.protocolVersion);
    if (!revision) throw new HttpFailure('unusable', unknownRevision(answer.result));
    const sessionId = raw.headers['mcp-session-id'];
    const hasSession = typeof sessionId === 'string' && sessionId !== '';
    const session = { revision, id: hasSession ? sessionId : undefined, running: 0 };
    // JSON-RPC 2.0 §4.1: a notification has no response. Most servers confirm it over HTTP, and some refuse requests
    // that arrive before it.
    const initialized = sender.aside(target, initializedMessage(credential, session));
    await Promise.race([initialized, wait(CONFIRMATION_MS, undefined, { ref: false })]);
    return { answer, session };
  };
}

function unknownRevision({ protocolVersion }: Readonly<Record<string, unknown>>): string {
  const isDate = typeof protocolVersion === 'string' && /^\d{4}-\d\d-\d\d$/.test(protocolVersion);
  const theirs = isDate ? `speaks MCP ${protocolVersion}` : 'names no MCP revision';
  return `it ${theirs}, and not one of ${[...LEGACY_REVISIONS, MODERN_REVISION].toSorted().join(', ')}`;
}
