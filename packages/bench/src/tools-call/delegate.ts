import { GRANT_TYPE, TOKEN_TYPE } from '@legate/oauth';
import { request } from 'undici';
import { z } from 'zod';
import {
  CONNECTOR_CLIENT_ID,
  CONNECTOR_CLIENT_SECRET,
  HUB_CLIENT_ID,
  HUB_CLIENT_SECRET,
  SCOPE,
  WORLD_PATHS,
} from './scene.ts';

/** An unsigned ID token, for programs that use one access token for everyone. */
export const NOBODY = `e30.${Buffer.from('{"sub":"user_nobody","organization_id":"org_nobody"}').toString('base64url')}.e30`;

const TokenAnswer = z.object({ access_token: z.string() });

async function requestToken(url: string, form: Record<string, string>): Promise<string> {
  const answer = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  return TokenAnswer.parse(await answer.body.json()).access_token;
}

/**
 * ID token → ID-JAG → access token, by two plain requests.
 * @param path of the tool server
 */
export async function delegate(
  world: string,
  idToken: string,
  path: string = WORLD_PATHS.resource,
): Promise<string> {
  const resource = `${world}${path}`;
  const assertion = await requestToken(`${world}${WORLD_PATHS.idpToken}`, {
    grant_type: GRANT_TYPE.tokenExchange,
    subject_token: idToken,
    subject_token_type: TOKEN_TYPE.idToken,
    requested_token_type: TOKEN_TYPE.idJag,
    audience: resource,
    resource,
    scope: SCOPE,
    client_id: HUB_CLIENT_ID,
    client_secret: HUB_CLIENT_SECRET,
  });
  return requestToken(`${resource}/token`, {
    grant_type: GRANT_TYPE.jwtBearer,
    assertion,
    client_id: CONNECTOR_CLIENT_ID,
    client_secret: CONNECTOR_CLIENT_SECRET,
  });
}
