import { member, text } from '../demo/http.ts';
import { IDP_CLIENTS } from '../scene/scene.ts';
import type { ServiceUrls } from '../stack/services.ts';
import { AS_IDP_ADMIN, askStack, reasonOf } from './ask.ts';

/**
 * Gets the tokens of a user for the hub and for the management API, without a sign-in.
 * @param user e-mail address or id
 * @throws {Error} that names the users if there is no such user
 */
export async function developmentTokens(urls: ServiceUrls, user: string) {
  const admin = `${urls['mock-idp']}/admin`;
  async function mint(path: string, name: string, order: object): Promise<string> {
    const json = { user, client_id: IDP_CLIENTS.frontend.id, ...order };
    const minted = await askStack('POST', `${admin}/${path}`, { json }, AS_IDP_ADMIN);
    if (minted.status === 201) return text(minted.answer, name);
    if (minted.status !== 404) throw new Error(`No token for ${user}. ${reasonOf(minted)}`);
    const { answer } = await askStack('GET', `${admin}/users`, {}, AS_IDP_ADMIN);
    const users = member(answer, 'data');
    const emails = (Array.isArray(users) ? users : []).map((one) => member(one, 'email'));
    throw new Error(`The identity provider has no user ${user}. Its users: ${emails.join(', ')}`);
  }
  return {
    idToken: await mint('id-tokens', 'id_token', {}),
    accessToken: await mint('access-tokens', 'access_token', { resource: urls['management-api'] }),
  };
}
