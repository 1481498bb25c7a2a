import type { SubjectTokenType } from '@legate/identity-providers';
import {
  type FormParameters,
  formatScope,
  GRANT_TYPE,
  OAuthError,
  parseScope,
  TOKEN_TYPE,
} from '@legate/oauth';
import type { Logger } from '@legate/service';
import type { Request, Response } from 'express';
import type { createEndpointAuthenticator } from '../directory/client-authentication.ts';
import type { Directory } from '../directory/directory.ts';
import type { Client } from '../directory/model.ts';
import { type Answer, type IdJagRules, isAnswer } from '../personalities/personality.ts';
import type {
  AccessTokenRequest,
  createAccessTokenExchange,
} from '../token-exchange/access-token-exchange.ts';
import type { ExchangeRequest, ExchangeToken } from '../token-exchange/service.ts';
import { claimedAudience } from '../token-exchange/subject-token.ts';
import { sendAnswer } from './provider-answer.ts';
import type { RenewedSignIn } from './renew-sign-in.ts';

type ExchangeAccessToken = ReturnType<typeof createAccessTokenExchange>;
export type AnswerExchange = (req: Request, res: Response, form: FormParameters) => Promise<void>;

const MAX_RESOURCES = 20;

/**
 * Parses a request (RFC 8693 §2.1) and sends the response (§2.2.1), with the profile of the ID-JAG draft §4.3. Other
 * repeated parameters have been refused before.
 */
export function createExchangeRoute(deps: {
  authenticate: ReturnType<typeof createEndpointAuthenticator>;
  directory: Directory;
  exchange: ExchangeToken;
  exchangeAccessToken: ExchangeAccessToken | undefined;
  rules: IdJagRules | Answer;
  exchangeOff: Answer | undefined;
  renew: (req: Request, client: Client, refreshToken: string) => Promise<RenewedSignIn>;
  log: Logger;
}): AnswerExchange {
  const { rules, log } = deps;
  const nextTokenType = inTurn(isAnswer(rules) ? [] : rules.tokenTypes);
  return async (req, res, form) => {
    const client = await identifyClient(deps, req.headers.authorization, form);
    if (!client.grantTypes.includes(GRANT_TYPE.tokenExchange)) {
      if (deps.exchangeOff) return sendAnswer(res, deps.exchangeOff);
      throw new OAuthError('unauthorized_client', 'token exchange not registered');
    }
    const requested = form.find('requested_token_type') ?? TOKEN_TYPE.accessToken;
    if (deps.exchangeAccessToken && requested === TOKEN_TYPE.accessToken)
      return sendAccessToken(res, deps, client, parseAccessTokenRequest(form));
    if (isAnswer(rules)) {
      log.info({ code: rules.body.error }, 'token exchange refused, as the provider would');
      return sendAnswer(res, rules);
    }
    const request = parseRequest(form);
    const subject = await readSubject(deps.renew, rules, { req, client, form });
    if ('status' in subject) return sendAnswer(res, subject);
    const issued = await deps.exchange(client, { ...request, subjectToken: subject.idToken }, rules);
    log.info(
      {
        client_id: client.clientId,
        sub: issued.subject,
        audience: request.audience,
        resource: issued.resource,
        scope: issued.scope,
        asked: formatScope(request.scopes),
      },
      'ID-JAG issued',
    );
    const isNarrowed = issued.scope !== formatScope(request.scopes);
    const answersScope =
      rules.answersScope === 'always' || (rules.answersScope === 'if_narrowed' && isNarrowed);
    res.json({
      access_token: issued.idJag, // the member's name is historical (RFC 8693 §2.2.1): the value is not an access token
      issued_token_type: TOKEN_TYPE.idJag,
      token_type: nextTokenType(),
      expires_in: issued.expiresIn,
      ...(answersScope && { scope: issued.scope }),
      ...(rules.answersResource && { resource: issued.resource }),
      ...(subject.refreshToken !== undefined && { refresh_token: subject.refreshToken }),
    });
  };
}

/**
 * Parses an exchange of a user's access token (RFC 8693 §2.1). @throws {OAuthError} `invalid_request`; the subject may
 * be of another type, which the exchange refuses in the words of the provider
 */
function parseAccessTokenRequest(form: FormParameters): AccessTokenRequest {
  form.require('subject_token_type');
  return {
    subjectToken: form.require('subject_token'),
    audience: form.require('audience'),
    scopes: parseScope(form.find('scope')),
  };
}

/**
 * Parses a request of the on-behalf-of flow, whose scopes begin with the audience.
 * @throws {OAuthError} `invalid_request`, `invalid_scope`
 */
function parseOnBehalfOf(form: FormParameters): AccessTokenRequest {
  if (form.find('requested_token_use') !== 'on_behalf_of')
    throw new OAuthError('invalid_request', 'requested_token_use');
  const scopes = parseScope(form.require('scope')).filter((scope) => !SIGN_IN_SCOPES.includes(scope));
  const [audience, ...others] = new Set(scopes.map((scope) => scope.slice(0, scope.lastIndexOf('/'))));
  if (!audience || others.length > 0)
    throw new OAuthError('invalid_scope', 'scopes of one audience are needed');
  const names = scopes.map((scope) => scope.slice(audience.length + 1));
  return {
    subjectToken: form.require('assertion'),
    audience,
    scopes: names.includes('.default') ? [] : names,
  };
}
const SIGN_IN_SCOPES = ['openid', 'profile', 'email', 'offline_access'];

async function sendAccessToken(
  res: Response,
  deps: { exchangeAccessToken: ExchangeAccessToken | undefined; log: Logger },
  client: Client,
  request: AccessTokenRequest,
): Promise<void> {
  if (!deps.exchangeAccessToken)
    throw new OAuthError('unsupported_grant_type', 'no exchange of access tokens');
  const { userId, body } = await deps.exchangeAccessToken(client, request);
  deps.log.info(
    { client_id: client.clientId, sub: userId, audience: request.audience },
    'access token exchanged',
  );
  sendAnswer(res, { status: 200, body });
}

/** Answers the `jwt-bearer` grant with `requested_token_use=on_behalf_of`. */
export function createOnBehalfOfRoute(deps: {
  authenticate: ReturnType<typeof createEndpointAuthenticator>;
  directory: Directory;
  exchangeAccessToken: ExchangeAccessToken | undefined;
  log: Logger;
}): AnswerExchange {
  return async (req, res, form) => {
    const client = await identifyClient(deps, req.headers.authorization, form);
    return sendAccessToken(res, deps, client, parseOnBehalfOf(form));
  };
}

function inTurn(values: readonly string[]): () => string | undefined {
  let count = 0;
  return () => values[count++ % values.length];
}

const SUBJECT_TYPES: Readonly<Record<string, SubjectTokenType>> = {
  [TOKEN_TYPE.idToken]: 'id_token',
  [TOKEN_TYPE.refreshToken]: 'refresh_token',
};

/**
 * Returns the ID token that the subject token is or stands for.
 * @throws {OAuthError} `invalid_request` for a type that this client may not exchange (RFC 8693 §2.2.2)
 */
async function readSubject(
  renew: (req: Request, client: Client, refreshToken: string) => Promise<RenewedSignIn>,
  rules: IdJagRules,
  { req, client, form }: { req: Request; client: Client; form: FormParameters },
): Promise<{ idToken: string; refreshToken: string | undefined } | Answer> {
  const type = SUBJECT_TYPES[form.require('subject_token_type')];
  if (type === undefined || ![...rules.subjects, ...client.subjectTokenTypes].includes(type))
    throw new OAuthError('invalid_request', 'subject_token_type');
  const token = form.require('subject_token');
  return type === 'refresh_token' ? renew(req, client, token) : { idToken: token, refreshToken: undefined };
}

/**
 * Authenticates a client. If the request does not name a client, the audience of the ID token is used, if it is a
 * public client that is registered for this; a public client that names itself follows the same rule.
 * @throws {OAuthError} `invalid_client`
 */
async function identifyClient(
  deps: { authenticate: ReturnType<typeof createEndpointAuthenticator>; directory: Directory },
  authorization: string | undefined,
  form: FormParameters,
): Promise<Client> {
  const anonymous =
    authorization === undefined && CLIENT_PARAMETERS.every((name) => form.all(name).length === 0);
  if (!anonymous) {
    const { client, method } = await deps.authenticate(authorization, form);
    if (method === 'none' && !client.entry.exchangeWithoutAuthentication)
      throw new OAuthError('invalid_client', 'the client must authenticate to exchange tokens');
    return client.entry;
  }
  const audience = claimedAudience(form.require('subject_token'));
  const client = audience === undefined ? undefined : await deps.directory.clients.find(audience);
  if (!client?.isPublic || !client.exchangeWithoutAuthentication)
    throw new OAuthError('invalid_client', 'no client authentication');
  return client;
}

const CLIENT_PARAMETERS = ['client_id', 'client_secret', 'client_assertion', 'client_assertion_type'];

function parseRequest(form: FormParameters): Omit<ExchangeRequest, 'subjectToken'> {
  if (form.require('requested_token_type') !== TOKEN_TYPE.idJag)
    throw new OAuthError('invalid_request', 'requested_token_type');
  const actorToken = form.find('actor_token');
  // RFC 8693 §2.1: required with an actor token, and not allowed without one.
  if (form.find('actor_token_type') !== (actorToken === undefined ? undefined : TOKEN_TYPE.jwt))
    throw new OAuthError('invalid_request', 'actor_token_type');
  if (form.find('authorization_details') !== undefined)
    throw new OAuthError('invalid_request', 'authorization_details are not supported');
  const resources = form.all('resource');
  if (resources.length > MAX_RESOURCES) throw new OAuthError('invalid_request', 'too many resources');
  if (!resources.every((resource) => URL.canParse(resource) && !resource.includes('#')))
    throw new OAuthError('invalid_target', 'resource must be an absolute URI without a fragment'); // RFC 8707 §2
  return {
    actorToken,
    audience: form.require('audience'),
    resources,
    scopes: parseScope(form.find('scope')),
  };
}
