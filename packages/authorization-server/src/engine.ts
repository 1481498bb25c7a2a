import { IncomingMessage, ServerResponse } from 'node:http';
import type { OidcProvider } from './oidc-provider.ts';

/** The response that oidc-provider would have sent */
export interface FormAnswer {
  readonly status: number;
  /** JSON, or nothing */
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
    // It also takes for its mount path whatever `originalUrl` has in front of `url`: the issuer's path, which a proxy strips.
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
      accept: 'application/json', // these endpoints never answer with a page
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
    /** Lets oidc-provider answer a request whose body has not been read. */
    handle(req: IncomingMessage, res: ServerResponse): void {
      pin(req);
      void callback(req, res);
    },
    /** Lets oidc-provider answer a form that has been read already: replays the request. */
    handleForm(req: IncomingMessage, res: ServerResponse, form: URLSearchParams): void {
      void callback(replay(req, form), res);
    },
    /** Replays a form too, but returns the answer unsent: the front may keep, change or send it twice. */
    answerForm(req: IncomingMessage, form: URLSearchParams): Promise<FormAnswer> {
      return answer(replay(req, form));
    },
    /** Returns the answer to a GET of a document, unsent: a front may change it, or serve it at another path. */
    answerDocument(req: IncomingMessage, path: string): Promise<FormAnswer> {
      const again = new IncomingMessage(req.socket);
      Object.assign(again, { method: 'GET', url: path, headers: { accept: 'application/json' } });
      pin(again);
      again.complete = true;
      again.push(null);
      return answer(again);
    },
    /** New keys sign from now on; running requests finish with the old ones. */
    rebuild(): void {
      provider = deps.build();
      callback = provider.callback();
    },
  };
}

/**
 * The target without scheme and host, which it has in absolute form (RFC 9112 §3.2.2). Cut off and not parsed: Express
 * routes targets that are no URLs, with ports that there are not.
 */
const toOriginForm = (target = '/'): string => target.replace(/^[^/?#]+:\/\/[^/?#]*/, '') || '/';

/** A response that belongs to no connection: its end is the answer. */
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

/** The values of all cookies of one name, as they came: pages on other hosts of the domain can add to a browser's own. */
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
