import { IncomingMessage, type ServerResponse } from 'node:http';
import type { OidcProvider } from './oidc-provider.ts';

export type OpenIdEngine = ReturnType<typeof createOpenIdEngine>;

/** Adapter around oidc-provider: rebuilt when the signing keys change, with every request normalized. */
export function createOpenIdEngine(deps: { issuer: string; build: () => OidcProvider }) {
  const { host, protocol } = new URL(deps.issuer);
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
    // It also takes for its mount path whatever Express's `originalUrl` has in front of `url`.
    const url = toOriginForm(req.url);
    Object.assign(req, { url, originalUrl: url });
  }

  return {
    provider: () => provider,
    /** Lets oidc-provider answer a request whose body has not been read. */
    handle(req: IncomingMessage, res: ServerResponse): void {
      pin(req);
      void callback(req, res);
    },
    /** The same for a form that has been read already and is replayed. */
    handleForm(req: IncomingMessage, res: ServerResponse, form: URLSearchParams): void {
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
      void callback(again, res);
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
