import { type Exchange, member, text } from '../demo/http.ts';
import { USERS } from '../scene/scene.ts';
import { askStack, reasonOf } from './ask.ts';

export interface Registered {
  readonly id: string;
  readonly slug: string;
  /** False if the connector existed, and has been updated */
  readonly isNew: boolean;
}

/**
 * Creates a connector, or sets the client, the secret and the scopes of the one that has the same resource.
 * @param api URL of the connectors at the management API
 * @throws {Error} if the API refuses, or if the existing connector does not use ID-JAGs
 */
export async function putConnector(
  api: string,
  accessToken: string,
  connector: {
    readonly resource_url: string;
    readonly mcp_url: string | null;
    readonly name: string;
    readonly client_id: string;
    readonly secret: string;
    readonly scopes: unknown;
  },
): Promise<Registered> {
  const asUser = { Authorization: `Bearer ${accessToken}` };
  const list = await askStack('GET', `${api}?limit=100`, {}, asUser);
  if (list.status !== 200) throw new Error(refusal(list));
  const connectors = member(list.answer, 'data');
  const known = Array.isArray(connectors)
    ? connectors.find((one) => member(one, 'resource_url') === connector.resource_url)
    : undefined;
  const { client_id, secret, scopes } = connector;
  if (known && member(known, 'auth_method') !== 'id-jag')
    throw new Error(
      `${text(known, 'id')} is a connector for ${connector.resource_url}, but does not use ID-JAGs. To replace it: npx legate connectors remove ${text(known, 'id')}`,
    );
  const put = known
    ? await askStack('PATCH', `${api}/${text(known, 'id')}`, { json: { client_id, secret, scopes } }, asUser)
    : await askStack('POST', api, { json: connector }, asUser);
  if (put.status !== (known ? 200 : 201)) throw new Error(refusal(put));
  return { id: text(put.answer, 'id'), slug: text(put.answer, 'slug'), isNew: !known };
}

const ADMINISTRATORS = `Only an owner or admin of an organization can register a tool server: use --user ${USERS.alice.email} or --user ${USERS.carol.email}.`;

function refusal(refused: Exchange): string {
  const isMember = member(refused.answer, 'code') !== 'organization_id_required';
  const reason = isMember ? reasonOf(refused) : 'The user belongs to no organization.';
  return `Nothing is registered. ${reason}${refused.status === 403 ? ` ${ADMINISTRATORS}` : ''}`;
}
