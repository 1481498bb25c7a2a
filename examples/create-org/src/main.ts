import { serve } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import * as openid from 'openid-client';
import { z } from 'zod';
import { createOnboarding } from './onboarding.ts';

const {
  PORT = '5173',
  URL_OF_APP = `http://localhost:${PORT}`,
  API = 'http://localhost:4000',
  ISSUER = 'http://localhost:4002',
  CLIENT_ID = 'frontend-app',
  ORGANIZATION = 'Newco',
} = process.env;

const issuer = new URL(ISSUER);
const plain = issuer.protocol === 'http:' ? { execute: [openid.allowInsecureRequests] } : {}; // development only
const client = await openid.discovery(issuer, CLIENT_ID, undefined, openid.None(), plain);
const codeVerifier = openid.randomPKCECodeVerifier();
const state = openid.randomState();
const onboarding = createOnboarding(API);

/** The onboarding session of the user, once the API has signed them in. */
let session: string | undefined;

const app = new Hono();

/** The API signs the user in, and sends them back to /welcome with a session. */
app.get('/', (c) => {
  const signIn = new URL('/api/oauth/sign-in', API);
  signIn.searchParams.set('return_to', `${URL_OF_APP}/welcome`);
  return c.redirect(signIn.href);
});

/** The application's own sign-in gives it an access token for the API. Nobody types a password twice. */
app.get('/welcome', async (c) => {
  session = c.req.query('session');
  const url = openid.buildAuthorizationUrl(client, {
    redirect_uri: `${URL_OF_APP}/callback`,
    scope: 'openid',
    resource: API,
    code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    state,
  });
  return c.redirect(url.href);
});

app.get('/callback', async (c) => {
  if (session === undefined) return c.redirect('/');
  const callback = new URL(`/callback${new URL(c.req.url).search}`, URL_OF_APP);
  const checks = { pkceCodeVerifier: codeVerifier, expectedState: state };
  const tokens = await openid.authorizationCodeGrant(client, callback, checks, { resource: API });
  return create(c, session, tokens.access_token);
});

/** A real application asks the user for the name, and whether it may act for them: this one decides for the example. */
async function create(c: Context, id: string, accessToken: string): Promise<Response> {
  const begun = await onboarding.read(id, accessToken);
  const created = await onboarding.createOrganization(id, accessToken, begun.csrfToken, ORGANIZATION);
  const { organization_id } = await onboarding.consent(id, accessToken, created.csrfToken);
  process.stdout.write(`${JSON.stringify({ user: begun.user.email, organization_id })}\n`);
  setImmediate(() => server.close());
  return c.text(`${ORGANIZATION} is ${organization_id}. Sign in again: the next token names it.`);
}

app.onError((error, c) => {
  const message =
    error instanceof z.ZodError ? 'the API answers something else than expected' : error.message;
  process.stderr.write(`${message}\n`);
  return c.text(message, 502);
});
const server = serve({ fetch: app.fetch, port: Number(PORT), hostname: 'localhost' }, () => {
  process.stdout.write(`Open ${URL_OF_APP} and sign in as somebody without an organization\n`);
});
