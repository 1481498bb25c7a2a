import type { Failure, NotFound, Outcome } from './outcome.ts';
import { notFound, problemOf, type Remedies, toFailure } from './read-problem.ts';
import { toResult, unreadable } from './read-result.ts';
import type { Send } from './send.ts';
import { type LeftOut, type LegateTool, type ToolList, toTool } from './tool.ts';
import type { Transport } from './transport.ts';
import { isObject, type Json, objectsOf, readJson, stringOf } from './wire.ts';

const PAGE_SIZE = 100;
/** Number of connectors whose tools are listed in parallel */
const PARALLEL = 8;

interface Connector {
  readonly id: string;
  readonly slug: string;
  readonly name: string | undefined;
}

/** A tool's identity in the REST API: its connector's id and its tool server's name */
interface Place {
  readonly connectorId: string;
  readonly name: string;
}

/** Calls tools by `/api/v1`: plain JSON, no stream, in browsers too. */
export function restTransport(send: Send, remedies: Remedies): Transport {
  /** Identities by the name at `/mcp`; a name always means the same tool */
  const places = new Map<string, Place>();
  const read = createReader(send, remedies);

  async function toolsOf(connector: Connector, signal?: AbortSignal) {
    const answer = await read(`/api/v1/connectors/${encodeURIComponent(connector.id)}/tools`, signal);
    const origin = { connectorId: connector.id, slug: connector.slug };
    const about = { ...origin, connectorName: connector.name };
    if (answer.kind !== 'read') return { tools: [], leftOut: [{ ...about, failure: answer }] };
    const items = objectsOf(answer.body.tools);
    const tools = items.flatMap((item): LegateTool[] => {
      const { mcp_name: listed, name } = item;
      if (typeof listed !== 'string' || typeof name !== 'string') return [];
      places.set(listed, { connectorId: connector.id, name });
      return [toTool(item, listed, origin)];
    });
    const unusable = items.length - tools.length;
    return { tools, leftOut: unusable > 0 ? [{ ...about, unusable }] : [] };
  }

  const listTools: Transport['listTools'] = async ({ signal }) => {
    const connectors = await listConnectors(read, signal);
    if (!Array.isArray(connectors)) return { tools: [], leftOut: [], failure: connectors as Failure };
    const tools: LegateTool[] = [];
    const leftOut: LeftOut[] = [];
    for (let at = 0; at < connectors.length; at += PARALLEL) {
      const some = connectors.slice(at, at + PARALLEL);
      for (const part of await Promise.all(some.map((connector) => toolsOf(connector, signal)))) {
        tools.push(...part.tools);
        leftOut.push(...part.leftOut);
      }
    }
    return { tools, leftOut, failure: undefined };
  };

  async function find(name: string, signal?: AbortSignal): Promise<Place | Failure> {
    const known = places.get(name);
    if (known) return known;
    const list = await listTools({ ...(signal && { signal }) });
    return places.get(name) ?? missing(name, list);
  }

  return {
    listTools,
    async callTool(name, args, { signal }) {
      const place = await find(name, signal);
      if ('kind' in place) return place;
      const path = `/api/v1/connectors/${encodeURIComponent(place.connectorId)}/tools/${encodeURIComponent(place.name)}/call`;
      const response = await send(path, { method: 'POST', body: { arguments: args }, signal });
      return response instanceof Response ? toOutcome(response, remedies) : response;
    },
  };
}

async function toOutcome(response: Response, remedies: Remedies): Promise<Outcome> {
  const body = await readJson(response);
  if (!response.ok) return toFailure(problemOf(response, body), remedies);
  if (!isObject(body)) return unreadable(body);
  const { headers } = response;
  return toResult(body, {
    callId: headers.get('Legate-Call-Id') ?? undefined,
    actsAs: headers.get('Legate-Acts-As') === 'service' ? 'service' : 'user',
  });
}

/**
 * Returns the failure for a tool that is not in the list. If its name starts with the slug of a connector that could
 * not be listed, the tool may exist, so that connector's failure is returned.
 */
const missing = (name: string, { leftOut, failure }: ToolList): Failure =>
  failure ??
  leftOut.find((part) => part.failure && name.startsWith(`${part.slug}_`))?.failure ??
  toolNotFound(name);

export const toolNotFound = (name: string): NotFound =>
  notFound(
    'tool_not_found',
    `This user, or the agent that acts for them, has no tool ${JSON.stringify(name)}. tools() lists all there are: for an agent, those of the connectors that are bound to it.`,
  );

type Read = { readonly kind: 'read'; readonly body: Json } | Failure;
type Reader = (path: string, signal?: AbortSignal) => Promise<Read>;

/** Returns a function that gets a JSON object. */
export const createReader =
  (send: Send, remedies: Remedies): Reader =>
  async (path, signal) => {
    const response = await send(path, { method: 'GET', signal });
    if (!(response instanceof Response)) return response;
    const body = await readJson(response);
    if (!response.ok) return toFailure(problemOf(response, body), remedies);
    return isObject(body) ? { kind: 'read', body } : unreadable(body);
  };

async function listConnectors(read: Reader, signal?: AbortSignal): Promise<readonly Connector[] | Failure> {
  const connectors: Connector[] = [];
  for (;;) {
    const answer = await read(`/api/v1/connectors?limit=${PAGE_SIZE}&offset=${connectors.length}`, signal);
    if (answer.kind !== 'read') return answer;
    const { data, pagination } = answer.body;
    const page = objectsOf(data).flatMap(({ id, slug, name }) =>
      typeof id === 'string' && typeof slug === 'string' ? [{ id, slug, name: stringOf(name) }] : [],
    );
    connectors.push(...page);
    if (page.length === 0 || !isObject(pagination) || pagination.has_more !== true) return connectors;
  }
}
