import type { ServerResponse } from 'node:http';
import { type AgentsScene, createAgentsScene, type Era } from './agents-scene.ts';
import type { Handler } from './http-server.ts';
import { scriptedMcp } from './scripted-mcp.ts';

export interface TextRequest {
  readonly body: string;
  /** The request's JSON-RPC id, as text */
  readonly id: string;
  readonly res: ServerResponse;
}

/** The text of a response; for an event stream, the text of each message */
export interface TextAnswer {
  readonly status: number;
  readonly texts: readonly string[];
}

export interface TextScene extends Pick<AgentsScene, 'url' | 'stop' | 'clock'> {
  /** Returns the headers of the agent's requests, with a valid token */
  headers(): Promise<Readonly<Record<string, string>>>;
  /** Text of the request bodies that the tool server has received for the method given to `serve` */
  readonly received: readonly string[];
  /** Makes the tool server respond to one method with the given text, and to all others as usual. */
  serve(method: string, answer: (request: TextRequest) => void): void;
  /** Sends the text of a message as an agent. */
  post(message: {
    era: Era;
    method: string;
    body: string;
    path?: string;
    name?: string;
    headers?: Record<string, string>;
  }): Promise<TextAnswer>;
  /** Sends a request to the REST API. */
  rest(path: string, body?: string): Promise<TextAnswer>;
}

/**
 * Creates a hub and a tool server whose messages are given as text, without `JSON.stringify`.
 * @param server the era of the tool server
 */
export async function createTextScene(server: Era): Promise<TextScene> {
  const scene = await createAgentsScene({ connectorIds: ['con_tools'] });
  const received: string[] = [];
  const headersNow = async () => ({
    'Content-Type': 'application/json',
    Authorization: `Bearer ${await scene.idTokenOf('user_alice')}`,
  });
  return {
    ...{ url: scene.url, clock: scene.clock, stop: scene.stop, received, headers: headersNow },
    serve(method, answer) {
      received.length = 0;
      const others = scriptedMcp({}, server);
      const mcp: Handler = (req, res, body) => {
        const isProbe = server === 'legacy' && req.headers['mcp-method'] !== undefined;
        if (body === '' || isProbe || JSON.parse(body).method !== method) return others(req, res, body);
        received.push(body);
        answer({ body, id: String(JSON.parse(body).id), res });
      };
      scene.toolServer.misbehaviour = { mcp };
    },
    async post({ era, method, body, path = '/mcp', name, headers }) {
      const modern = { 'Mcp-Method': method, ...(name !== undefined && { 'Mcp-Name': name }) };
      return textsOf(
        await fetch(`${scene.url}${path}`, {
          method: 'POST',
          headers: {
            ...(await headersNow()),
            Accept: 'application/json, text/event-stream',
            'MCP-Protocol-Version': era === 'modern' ? '2026-07-28' : '2025-11-25',
            ...(era === 'modern' && modern),
            ...headers,
          },
          body,
        }),
      );
    },
    rest: async (path, body) =>
      textsOf(
        await fetch(`${scene.url}/api/v1${path}`, {
          headers: await headersNow(),
          ...(body !== undefined && { method: 'POST', body }),
        }),
      ),
  };
}

async function textsOf(answer: Response): Promise<TextAnswer> {
  const { status, headers } = answer;
  const text = await answer.text();
  const isStream = headers.get('content-type')?.startsWith('text/event-stream');
  return {
    status,
    texts: isStream ? [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => data) : [text],
  };
}

/** Sends the last of these messages as the response, or all of them as an event stream. */
export function sendTexts(res: ServerResponse, as: 'json' | 'stream', texts: readonly string[]): void {
  if (as === 'json') {
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(texts.at(-1));
    return;
  }
  res.writeHead(200, { 'Content-Type': 'text/event-stream' });
  for (const text of texts) res.write(`data: ${text.split(/\r\n?|\n/).join('\ndata: ')}\n\n`);
  res.end();
}

const VERSION = '"io.modelcontextprotocol/protocolVersion":"2026-07-28"';

/** Returns `_meta` of a request. @param members additional members, as text */
export function metaText(era: Era, members = '', capabilities = '{"elicitation":{}}'): string {
  if (era === 'legacy') return `{${members}}`;
  const own = `${VERSION},"io.modelcontextprotocol/clientCapabilities":${capabilities}`;
  return `{${own}${members === '' ? '' : `,${members}`}}`;
}
