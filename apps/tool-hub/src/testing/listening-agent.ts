import type { AgentsScene } from './agents-scene.ts';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

export interface StreamMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly uri?: string; readonly notifications?: object; readonly _meta?: object };
  readonly result?: object;
  readonly error?: { readonly code: number; readonly data?: object };
}

export interface ListeningAgent {
  readonly status: number;
  readonly headers: Headers;
  /** Returns the next message; undefined when the stream has ended */
  next(): Promise<StreamMessage | undefined>;
  /** Returns all messages until the stream ends */
  rest(): Promise<StreamMessage[]>;
  /** Disconnects the agent. */
  leave(): void;
}

/** Opens a `subscriptions/listen` stream at the hub, as an agent that sends its own JSON-RPC. */
export async function listenAt(
  scene: Pick<AgentsScene, 'post'>,
  token: string,
  notifications: unknown,
  options: { path?: string; id?: string | number; headers?: Record<string, string> } = {},
): Promise<ListeningAgent> {
  const { id = 'listen:1', path = '/mcp' } = options;
  const leaving = new AbortController();
  const answer = await scene.post(
    { jsonrpc: '2.0', id, method: 'subscriptions/listen', params: { notifications, _meta: META } },
    {
      path,
      token,
      headers: {
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': 'subscriptions/listen',
        ...options.headers,
      },
      signal: leaving.signal,
    },
  );
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  const read: StreamMessage[] = [];
  let text = '';
  async function next(): Promise<StreamMessage | undefined> {
    for (;;) {
      const message = read.shift();
      if (message) return message;
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
      if (done && text === '') return undefined;
      text += value ?? '';
      if (!isStream && done) read.push(JSON.parse(text));
      if (isStream || done) {
        const lines = text.split('\n');
        text = done ? '' : (lines.pop() ?? '');
        if (isStream)
          read.push(
            ...lines.flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : [])),
          );
      }
    }
  }
  return {
    status: answer.status,
    headers: answer.headers,
    next,
    async rest() {
      const all: StreamMessage[] = [];
      for (let each = await next(); each; each = await next()) all.push(each);
      return all;
    },
    leave: () => leaving.abort(),
  };
}
