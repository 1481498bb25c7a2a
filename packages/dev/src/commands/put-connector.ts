import { exchange, member, text } from '../demo/http.ts';

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
  const { answer: list } = await exchange('GET', `${api}?limit=100`, {}, asUser);
  const connectors = member(list, 'data');
  const known = Array.isArray(connectors)
    ? connectors.find((one) => member(one, 'resource_url') === connector.resource_url)
    : undefined;
  const { client_id, secret, scopes } = connector;
  if (known && member(known, 'auth_method') !== 'id-jag')
    throw new Error(
      `${text(known, 'id')} is a connector for ${connector.resource_url}, but does not use ID-JAGs. To replace it: npx legate connectors remove ${text(known, 'id')}`,
    );
  const { status, answer } = known
    ? await exchange('PATCH', `${api}/${text(known, 'id')}`, { json: { client_id, secret, scopes } }, asUser)
    : await exchange('POST', api, { json: connector }, asUser);
  if (status !== (known ? 200 : 201))
    throw new Error(`no connector for ${connector.resource_url}: ${JSON.stringify(answer)}`);
  return { id: text(answer, 'id'), slug: text(answer, 'slug'), isNew: !known };
}
