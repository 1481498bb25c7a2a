import { setTimeout as wait } from 'node:timers/promises';
import { type LegacyRevision, MODERN_REVISION, type Revision } from '@legate/mcp-wire';
import { LRUCache } from 'lru-cache';
import type { Dispatcher } from 'undici';
import { type ClientInfo, describeClient } from './client-description.ts';
import { HttpFailure } from './http-failure.ts';
import { createLegacyCalls } from './legacy-calls.ts';
import type { McpAnswer } from './mcp-answer.ts';
import { discoveryFor, type McpRequest, mayHaveEffect } from './mcp-request.ts';
import type { McpCall, McpTarget, OnListChanged } from './mcp-target.ts';
import { readAnswer } from './read-answer.ts';
import { bestCommonRevision, isModern, isModernError, statusOf, suggestsLegacy } from './revision-signs.ts';
import { createMessageSender, MAX_URLS } from './send-message.ts';
import { modernMessage } from './wire-message.ts';
import { withinTrace } from './within-trace.ts';
import { withoutSecret } from './without-secret.ts';

export type McpClient = (target: McpTarget, request: McpRequest) => Promise<McpAnswer>;

/** A client that has sessions at tool servers of the older revisions. */
export interface OpenMcpClient extends McpClient {
  /**
   * Gives up sessions, and ends them at their servers with DELETE and the credential of their last use. This happens in
   * the background, after the calls that run in them. Sessions that these calls open later end after the calls, too.
   * @param name an owner, or one of its `sessionNames`
   */
  endSessions(name: string): void;
  /** Ends all sessions at once, and waits for two seconds at most. */
  close(): Promise<void>;
}

interface KnownEra {
  readonly era: 'modern' | 'legacy';
  readonly sinceMs: number;
  /** The best revision that both sides support, if the server has listed its revisions */
  readonly revision?: LegacyRevision | undefined;
}

/** Kinds of answers to `server/discover` after which the server may still be called. */
const HAS_NO_DESCRIPTION: ReadonlySet<McpAnswer['kind']> = new Set(['error', 'rejected', 'unusable']);

/** Milliseconds after which a server's era is determined again. */
const ERA_AGE_MS = 3_600_000;
const CLOSE_MS = 2000;

/**
 * Speaks MCP in both current eras: tries the modern one first, falls back to the `initialize` handshake if the server
 * supports nothing else, and remembers the era of each server. A call creates no SDK objects.
 */
export function createMcpClient(deps: {
  client: ClientInfo;
  dispatcher: Dispatcher;
  /** Waits before an unsent request is retried. */
  pause: () => Promise<void>;
  clock: () => Date;
  maxBytes: number;
  onListChanged: OnListChanged;
  /** Creates the error for a request whose response exceeds the available memory. */
  noMemory: () => Error;
  /** Further names by which `endSessions` finds the sessions of an owner */
  sessionNames?: ((owner: string) => readonly string[]) | undefined;
}): OpenMcpClient {
  const { clock } = deps;
  const eras = createKnownEras(clock);
  const client = describeClient(deps.client);
  const sender = createMessageSender({ ...deps, client });
  const { sessionNames } = deps;
  const legacyCalls = createLegacyCalls({ client, sender, clock, sessionNames });

  async function callModern({ target, request, trace }: McpCall): Promise<McpAnswer> {
    const id = sender.nextId();
    const message = modernMessage(client, request, id, target.credential, trace);
    return readAnswer(await sender.send(target, message, id), id);
  }

  /** Does not renew the entry of a known modern server, so that its era is determined again, too. */
  async function callAsModern(call: McpCall): Promise<McpAnswer> {
    const answer = await callModern(call);
    if (isModern(answer) && eras.find(call.target.url)?.era !== 'modern')
      eras.keep(call.target.url, 'modern');
    return answer;
  }

  /**
   * Determines the era of a server before it sends a request that may have an effect, since trying the other era would
   * send the request again.
   */
  async function callOnce(call: McpCall): Promise<McpAnswer> {
    const { url } = call.target;
    if (!mayHaveEffect(call.request) || eras.find(url) || legacyCalls.hasSession(call))
      return callKnown(call);
    const described = await callKnown({ ...call, request: discoveryFor(call.request) });
    if (isModernError(described)) return described;
    if (eras.find(url)) return callKnown(call);
    return HAS_NO_DESCRIPTION.has(described.kind) ? callAsModern(call) : described;
  }

  async function callKnown(call: McpCall): Promise<McpAnswer> {
    const { url } = call.target;
    const known = eras.find(url);
    if (known?.era === 'legacy' || (!known && legacyCalls.hasSession(call))) {
      const legacy = await legacyCalls.call(call, known?.revision);
      if (!isModernError(legacy) || statusOf(legacy) !== 400) return legacy;
      if (
        mayHaveEffect(call.request) &&
        !isModern(await callModern({ ...call, request: discoveryFor(call.request) }))
      )
        return legacy;
    }
    const answer = await callAsModern(call);
    const common = bestCommonRevision(answer);
    if (common !== undefined) return callAgain(call, common);
    if (known?.era === 'modern') return answer;
    if (!suggestsLegacy(answer, call.request)) return answer;
    const legacy = await legacyCalls.call(call);
    if (isModernError(legacy)) eras.keep(url, 'modern');
    // Only a server that completed the handshake is remembered; otherwise the first response is more informative.
    if (isModernError(legacy) || suggestsLegacy(legacy, call.request)) return answer;
    if (legacy.kind === 'result') eras.keep(url, 'legacy');
    return legacy;
  }

  /** A server that lists its revisions has not processed the request, so even a tool call may be sent again. */
  async function callAgain(call: McpCall, revision: Revision): Promise<McpAnswer> {
    if (revision === MODERN_REVISION) return callAsModern(call);
    legacyCalls.dropSession(call);
    const answer = await legacyCalls.call(call, revision);
    if (answer.kind === 'result') eras.keep(call.target.url, 'legacy', revision);
    return answer;
  }

  async function call(target: McpTarget, request: McpRequest): Promise<McpAnswer> {
    const since = legacyCalls.now();
    try {
      const answer = await withinTrace(target, request.method, (trace) =>
        callOnce({ target, request, trace, since }),
      );
      return withoutSecret(answer, target.credential);
    } catch (err) {
      if (!(err instanceof HttpFailure)) throw err;
      if (err.kind === 'no_memory') throw deps.noMemory();
      return withoutSecret(answerFor(err, err.kind, target), target.credential);
    }
  }

  return Object.assign(call, {
    endSessions: legacyCalls.endSessions,
    async close(): Promise<void> {
      await Promise.race([legacyCalls.close(), wait(CLOSE_MS, undefined, { ref: false })]);
    },
  });
}

/** Creates the record of each server's era, by URL. */
function createKnownEras(clock: () => Date) {
  // With `max` the cache would allocate memory for all entries now.
  const eras = new LRUCache<string, KnownEra>({ maxSize: MAX_URLS, sizeCalculation: () => 1 });
  return {
    find(url: string): KnownEra | undefined {
      const known = eras.get(url);
      return known && clock().getTime() - known.sinceMs < ERA_AGE_MS ? known : undefined;
    },
    keep(url: string, era: KnownEra['era'], revision?: LegacyRevision): void {
      eras.set(url, { era, sinceMs: clock().getTime(), revision });
    },
  };
}

function answerFor(
  { reason, isUnsent }: HttpFailure,
  kind: Exclude<HttpFailure['kind'], 'no_memory'>,
  { credential }: McpTarget,
): McpAnswer {
  if (kind === 'unavailable') return { kind, reason, isUnsent };
  if (kind === 'certificate_refused' && credential.kind === 'client_certificate')
    return { kind: 'unauthorized' };
  return { kind: 'unusable', reason };
}
