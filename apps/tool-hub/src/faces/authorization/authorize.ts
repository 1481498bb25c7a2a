import { cookiesNamed, type OpenIdEngine, withoutCookie } from '@legate/authorization-server';
import type { RequestHandler } from 'express';
import { ClientUnavailable, type FindClient } from '../../oauth-clients/oauth-client.ts';
import type { BrowserCookie } from '../accounts/browser-cookie.ts';
import { PageFault } from '../pages/page-fault.ts';
import { faultOf, prepareRequest } from './authorization-request.ts';
import { ORIGIN_PARAMETER, originOf } from './open-authorizations.ts';
import { BROWSER_PARAMETER, RESUME_COOKIE, SESSION_COOKIE } from './provider.ts';

/**
 * Handlers in front of oidc-provider's authorization endpoint: `begin` accepts a client's request, `resume` responds to
 * it.
 */
export interface Authorize {
  readonly begin: RequestHandler;
  readonly resume: RequestHandler;
}

/**
 * Creates the two handlers. Until client and redirect URI have been verified, every fault is shown on a page of ours,
 * without a redirect (RFC 9700 §4.11.2); for a client that neither operator nor organization has registered, until its
 * user has signed in.
 * oidc-provider's memory of earlier sign-ins in this browser is discarded, so every authorization is a new one. Each
 * belongs to the browser that began it: a page on another host of the domain could set oidc-provider's own cookies, and
 * so make a user sign in for somebody else.
 */
export function createAuthorize(deps: {
  publicUrl: string;
  engine: OpenIdEngine;
  findClient: FindClient;
  cookie: BrowserCookie;
  isResource: (resource: string) => boolean;
}): Authorize {
  const { publicUrl, engine, findClient, cookie } = deps;
  return {
    async begin(req, res) {
      const prepared = prepareRequest(new URL(req.originalUrl, 'http://localhost').search, publicUrl);
      if (prepared.kind === 'bad') throw new PageFault('bad_request', prepared.reason);
      const clientId = prepared.query.get('client_id') ?? '';
      const use = { kind: 'authorization', address: req.ip } as const;
      const client = await findClient(clientId, use).catch((err: unknown) => {
        throw err instanceof ClientUnavailable
          ? new PageFault('unavailable', err.message, { cause: err })
          : err;
      });
      if (!client) throw new PageFault('unknown_client', 'no such client');
      if (client.vouchedBy.kind !== 'operator') {
        const fault = faultOf(prepared.query, deps.isResource);
        if (fault !== undefined) throw new PageFault('bad_request', fault);
        prepared.query.delete('prompt'); // oidc-provider would answer `none` at once
      }
      withoutCookie(req, SESSION_COOKIE);
      prepared.query.set(ORIGIN_PARAMETER, originOf(req.ip, cookie.read(req)));
      prepared.query.set(BROWSER_PARAMETER, cookie.ensure(req, res));
      req.url = `/oauth/authorize?${prepared.query}`;
      engine.handle(req, res);
    },
    async resume(req, res) {
      const begun = await engine.provider().Interaction.find(String(req.params.uid));
      // oidc-provider resumes the authorization that the cookie names.
      const isNamed = cookiesNamed(req, RESUME_COOKIE).every((uid) => uid === begun?.uid);
      if (!begun || !isNamed || begun.params[BROWSER_PARAMETER] !== cookie.read(req))
        throw new PageFault('expired', 'another browser');
      withoutCookie(req, SESSION_COOKIE);
      engine.handle(req, res);
    },
  };
}
