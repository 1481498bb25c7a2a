import { randomBytes } from 'node:crypto';
import { calculatePKCECodeChallenge } from 'openid-client';
import { createBrowser } from '../scene/browser.ts';
import { PASSWORD, toolAtMcp, USERS } from '../scene/scene.ts';
import type { ServiceUrls } from '../stack/services.ts';
import { callTool } from './call-tool.ts';
import { type Exchange, exchange, member, text } from './http.ts';
import type { Printer } from './printer.ts';

/** Nothing listens there: the code is read from the URL. */
const REDIRECT_URI = 'http://127.0.0.1:33418/oauth/callback';

/**
 * Acts as an MCP client that knows only the hub's URL, and sends one request after the other, as the MCP specification
 * describes.
 * @returns the tool's result
 */
export async function callAsUnknownClient(urls: ServiceUrls, print: Printer): Promise<Exchange> {
  const mcp = `${urls['tool-hub']}/mcp`;
  const refused = await exchange('POST', mcp, { json: { jsonrpc: '2.0', id: 1, method: 'ping' } });
  const challenge = refused.answerHeaders.get('www-authenticate') ?? '';
  const resource = await exchange('GET', /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '');
  const issuer = text(resource.answer, 'authorization_servers', 0);
  const server = await exchange('GET', `${issuer}/.well-known/oauth-authorization-server`);
  const registered = await exchange('POST', text(server.answer, 'registration_endpoint'), {
    json: { client_name: 'An editor', redirect_uris: [REDIRECT_URI] },
  });
  print.table([
    ['POST /mcp without a token', `${refused.status}`, 'names the metadata'],
    ['GET metadata of the resource', `${resource.status}`, `authorization server: ${issuer}`],
    ['GET metadata of that server', `${server.status}`, 'where to register, to authorize, to get tokens'],
    ['POST /oauth/register', `${registered.status}`, 'a client_id; nothing is stored for it'],
  ]);
  const tokens = await authorize(urls, server.answer, text(registered.answer, 'client_id'), print);
  print.line();
  print.exchange(tokens);
  print.say(
    'Both tokens stand for a session of the hub: whatever ends it ends them. Neither is good anywhere else.',
  );
  return callTool(mcp, text(tokens.answer, 'access_token'), toolAtMcp('whoami'));
}

/** Code and PKCE: Alice signs in at the identity provider, and allows the client on the hub's page. */
async function authorize(
  urls: ServiceUrls,
  metadata: unknown,
  client_id: string,
  print: Printer,
): Promise<Exchange> {
  const code_verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: REDIRECT_URI,
    state: randomBytes(16).toString('base64url'),
    resource: `${urls['tool-hub']}/mcp`,
    code_challenge: await calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
  });
  const browser = createBrowser(print.step);
  const url = `${text(metadata, 'authorization_endpoint')}?${query}`;
  const callback = await browser.signIn(url, REDIRECT_URI, USERS.alice.email, PASSWORD);
  return exchange('POST', text(metadata, 'token_endpoint'), {
    form: {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: REDIRECT_URI,
      client_id,
      code_verifier,
    },
  });
}

/** @returns the user for whom the tool ran */
export const subjectOf = ({ answer }: Exchange): unknown =>
  member(answer, 'result', 'structuredContent', 'subject');
