import type { OpenIdEngine } from '@legate/authorization-server';
import { type HandoverSecret, StoreUnavailable } from '@legate/authorization-server';
import { type FormParameters, GRANT_TYPE, OAuthError } from '@legate/oauth';
import { type AuthenticationFailures, formOf, tokenEndpoint } from '@legate/oauth/express';
import type { Logger } from '@legate/service';
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import type { createEndpointAuthenticator } from '../directory/client-authentication.ts';
import type { Client } from '../directory/model.ts';
import type { ApiAccess } from '../openid/api-access.ts';
import type { Endpoints, Personality } from '../personalities/personality.ts';
import type { AnswerExchange } from './exchange.ts';
import { inProviderForm, providerErrorHandler, sendAnswer } from './provider-answer.ts';

/** Parameters that RFC 8693 §2.1 allows to be repeated; each grant decides how often. */
const REPEATABLE = ['resource', 'audience'];

/**
 * Routes of the token and revocation endpoints. The form, client authentication and the permission for the grant are
 * checked here for all grants, so that all refusals have the same form. Our own code then handles the token exchange,
 * and oidc-provider all other grants.
 */
export function createTokenEndpointRouter(deps: {
  endpoints: Pick<Endpoints, 'token' | 'revocation'>;
  errors: Personality['errors'];
  authenticate: ReturnType<typeof createEndpointAuthenticator>;
  answerExchange: AnswerExchange;
  /** Undefined: there is no such grant */
  answerOnBehalfOf: AnswerExchange | undefined;
  engine: OpenIdEngine;
  handoverSecret: HandoverSecret;
  apiAccess: ApiAccess;
  failures: AuthenticationFailures | undefined;
  log: Logger;
}): Router {
  const { endpoints, errors, log } = deps;
  const supported: readonly string[] = Object.values(GRANT_TYPE).filter(
    (type) => type !== GRANT_TYPE.jwtBearer || deps.answerOnBehalfOf !== undefined,
  );
  const hasOwnErrors = Object.keys(errors).length > 0;
  const router = Router();

  router.all(endpoints.token, ...tokenEndpoint(deps.failures), async (req, res) => {
    const form = formOf(res);
    form.refuseRepeated(REPEATABLE);
    const grantType = form.require('grant_type');
    if (!supported.includes(grantType))
      throw new OAuthError('unsupported_grant_type', 'unsupported grant_type');
    if (grantType === GRANT_TYPE.jwtBearer && deps.answerOnBehalfOf)
      return deps.answerOnBehalfOf(req, res, form);
    if (grantType === GRANT_TYPE.tokenExchange) return deps.answerExchange(req, res, form);
    const { client, method } = await deps.authenticate(req.headers.authorization, form);
    if (!client.entry.grantTypes.includes(grantType))
      throw new OAuthError('unauthorized_client', 'grant type not registered');
    const scope =
      grantType === GRANT_TYPE.clientCredentials ? await machineScope(form, client.clientId) : undefined;
    await handOver(req, res, form, client.entry, { isPublic: method === 'none', scope });
  });

  const revoke: RequestHandler = async (req, res) => {
    const form = formOf(res);
    form.refuseRepeated();
    const { client, method } = await deps.authenticate(req.headers.authorization, form);
    form.require('token');
    await handOver(req, res, form, client.entry, { isPublic: method === 'none' });
  };
  if (endpoints.revocation !== undefined)
    router.all(endpoints.revocation, ...tokenEndpoint(deps.failures, { takesAnyToken: true }), revoke);

  /**
   * Returns the scope for a machine's token, which must be for one of our APIs: without `resource` it would be of no
   * use.
   */
  async function machineScope(form: FormParameters, clientId: string): Promise<string | undefined> {
    const [resource] = form.all('resource');
    if (resource === undefined) throw new OAuthError('invalid_target', 'client_credentials without resource');
    return form.find('scope') ?? deps.apiAccess.defaultScope(resource, clientId);
  }

  /**
   * Passes the request on to oidc-provider with only the known parameters, and authenticates the client with the
   * handover secret.
   */
  async function handOver(
    req: Request,
    res: Response,
    form: FormParameters,
    client: Client,
    options: { isPublic: boolean; scope?: string | undefined },
  ): Promise<void> {
    const body = new URLSearchParams();
    for (const name of HANDED_OVER) for (const value of form.all(name)) body.append(name, value);
    body.set('client_id', client.clientId);
    if (options.scope !== undefined) body.set('scope', options.scope);
    if (!options.isPublic) body.set('client_secret', deps.handoverSecret(client.clientId));
    if (!hasOwnErrors) return deps.engine.handleForm(req, res, body);
    sendAnswer(res, inProviderForm(errors, await deps.engine.answerForm(req, body)));
  }

  router.use(toOAuthError, providerErrorHandler(errors, log));
  return router;
}

const toOAuthError: ErrorRequestHandler = (err: unknown, _req, _res, next) =>
  next(
    err instanceof StoreUnavailable
      ? new OAuthError('temporarily_unavailable', 'store', { cause: err })
      : err,
  );

const HANDED_OVER = [
  'grant_type',
  'code',
  'code_verifier',
  'redirect_uri',
  'refresh_token',
  'scope',
  'resource',
  'token',
  'token_type_hint',
];
