import type { IncomingMessage, ServerResponse } from 'node:http';

/** The parts of a `Request` that come from the head of a request of node:http. */
export function requestHead(req: IncomingMessage, origin: string): { url: string; headers: Headers } {
  const headers = new Headers();
  for (const [name, values] of Object.entries(req.headers))
    for (const value of [values ?? []].flat()) headers.append(name, value);
  return { url: urlOf(req.url ?? '/', origin), headers };
}

/**
 * Returns the absolute URL of a request target (RFC 9112 §3.2). Concatenated and not resolved: `//host/path` is a path
 * here, and must not become another host.
 */
function urlOf(target: string, origin: string): string {
  if (target.startsWith('/')) return `${origin}${target}`;
  return URL.canParse(target) ? target : `${origin}/`;
}

/** Sends an answer that fits into memory; headers that the application has set stay. */
export async function sendResponse(res: ServerResponse, response: Response): Promise<void> {
  res.statusCode = response.status;
  for (const [name, value] of response.headers) res.setHeader(name, value);
  res.end(response.body ? Buffer.from(await response.arrayBuffer()) : undefined);
}
