import { IncomingMessage, type ServerResponse } from 'node:http';
import type { OidcProvider } from './oidc-provider.ts';

/** oidc-provider in our house: it is built anew when the signing keys change, and sees every request as we want it seen. */
export interface OpenIdEngine {
  readonly provider: () => OidcProvider;
  /** Lets oidc-provider answer a request whose body has not been read. */
  handle(req: IncomingMessage, res: ServerResponse): void;
  /** The same for a form that has been read and is given anew. */
  handleForm(req: IncomingMessage, res: ServerResponse, form: URLSearchParams): void;
  /** From now on new keys sign; requests under way end with the old ones. */
  rebuild(): void;
}

export function createOpenIdEngine(deps: { issuer: string; build: () => OidcProvider }): OpenIdEngine {
  const { host, protocol } = new URL(deps.issuer);
  let provider = deps.build();
  let callback = provider.callback();

  /**
   * oidc-provider makes its URLs, those in the discovery document too, from the request's own host. Whoever may choose
   * that header must not choose our endpoints: it is always the issuer's.
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
    handle(req, res) {
      pin(req);
      void callback(req, res);
    },
    handleForm(req, res, form) {
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
      again.complete = true; // otherwise its end is taken for a lost connection
      again.push(body);
      again.push(null);
      void callback(again, res);
    },
    rebuild() {
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
