import { IncomingMessage, ServerResponse } from 'node:http';
import type { OidcProvider } from './oidc-provider.ts';

/** The response that oidc-provider would have sent */
export interface FormAnswer {
  readonly status: number;
  /** The parsed JSON body; undefined if there is none */
  readonly body: string;
}

export type OpenIdEngine = ReturnType<typeof createOpenIdEngine>;

/** Adapter around oidc-provider: rebuilt when the signing keys change, with every request normalized. */
export function createOpenIdEngine(deps: {
  issuer: string;
  /** Prefix that a proxy strips from paths. Default: the path of the issuer; `''` if endpoints are not below it */
  mountPath?: string;
  build: () => OidcProvider;
}) {
  const { host, protocol, pathname } = new URL(deps.issuer);
  const { mountPath = pathname.replace(/\/$/, '') } = deps;
  let provider = deps.build();
  let callback = provider.callback();

  /**
   * oidc-provider builds its URLs, including those in the discovery document, from the request's host. A caller must
   * not choose our endpoints through that header, so it is always set to the issuer's.
   */
  function pin(req: IncomingMessage): void {
    req.headers.host = host;
    req.headers['x-forwarded-proto'] = protocol.replace(':', '');
    delete req.headers['x-forwarded-host'];
    // It also uses everything in `originalUrl` before `url` as its mount path: the path of the issuer, which a proxy
    // strips.
    const url = toOriginForm(req.url);
    Object.assign(req, { url, originalUrl: mountPath + url });
  }

  function replay(req: IncomingMessage, form: URLSearchParams): IncomingMessage {
    const body = Buffer.from(form.toString());
    const {
      authorization: _authenticated,
      'transfer-encoding': _chunks,
      'content-encoding': _coding,
      ...kept
    } = req.headers;
    const again = new IncomingMessage(req.socket);
    again.method = req.method;
    again.url = req.url;
    again.headers = {
      ...kept,
      accept: 'application/json', // these endpoints never respond with a page
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(body.length),
    };
    pin(again);
    again.complete = true; // otherwise its end counts as a lost connection
    again.push(body);
    again.push(null);
    return again;
  }

  function answer(replayed: IncomingMessage): Promise<FormAnswer> {
    return new Promise((resolve, reject) => {
      callback(replayed, collectAnswer(replayed, resolve)).catch(reject);
    });
  }

  return {
    provider: () => provider,
    /** Lets oidc-provider respond to a request whose body has not been read. */
    handle(req: IncomingMessage, res: ServerResponse): void {
      pin(req);
      void callback(req, res);
    },
    /** Lets oidc-provider respond to a form that has already been read: replays the request. */
    handleForm(req: IncomingMessage, res: ServerResponse, form: URLSearchParams): void {
      void callback(replay(req, form), res);
    },
    /**
     * Replays a form too, but returns the response without sending it: the caller may store it, change it or send it
     * twice.
     */
    answerForm(req: IncomingMessage, form: URLSearchParams): Promise<FormAnswer> {
      return answer(replay(req, form));
    },
    /**
     * Returns the response to a GET of a document without sending it: the caller may change it, or serve it at another
     * path.
     */
    answerDocument(req: IncomingMessage, path: string): Promise<FormAnswer> {
      const again = new IncomingMessage(req.socket);
      Object.assign(again, { method: 'GET', url: path, headers: { accept: 'application/json' } });
      pin(again);
      again.complete = true;
      again.push(null);
      return answer(again);
    },
    /** Signs with the new keys from now on. Running requests finish with the old keys. */
    rebuild(): void {
      provider = deps.build();
      callback = provider.callback();
    },
  };
}

/**
 * Returns the target without scheme and host, which an absolute form contains (RFC 9112 §3.2.2). They are cut off
 * without parsing, because Express also routes targets that are not valid URLs, for example with an impossible port.
 */
const toOriginForm = (target = '/'): string => target.replace(/^[^/?#]+:\/\/[^/?#]*/, '') || '/';

/** A response without a connection. When it ends, its content is the result. */
function collectAnswer(req: IncomingMessage, onEnd: (answer: FormAnswer) => void): ServerResponse {
  const res = new ServerResponse(req);
  res.end = ((body?: unknown) => {
    onEnd({
      status: res.statusCode,
      body: Buffer.isBuffer(body) || typeof body === 'string' ? String(body) : '',
    });
    return res;
  }) as ServerResponse['end'];
  return res;
}

/**
 * Returns the unparsed values of all cookies with a name. A browser may send several: other hosts of the domain can set
 * cookies too.
 */
export const cookiesNamed = (req: IncomingMessage, name: string): string[] =>
  (req.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));

/** Removes a cookie and its signature from a request, so that oidc-provider ignores it. */
export function withoutCookie(req: IncomingMessage, name: string): void {
  const kept = (req.headers.cookie ?? '').split(';').filter((pair) => {
    const cookie = pair.trim().split('=', 1)[0];
    return cookie !== name && cookie !== `${name}.sig`;
  });
  req.headers.cookie = kept.join(';');
}
