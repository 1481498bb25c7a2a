import { INVALID_PARAMS, isObject, SubscriptionFilter } from '@legate/mcp-client';
import type { Connector } from '../../domain/connector.ts';
import { RpcError } from '../../refusals/rpc-error.ts';
import type { McpEndpoint } from './mcp-endpoint.ts';

/** Lists whose changes are notified */
export const CHANGING_LISTS = ['tools', 'prompts', 'resources'] as const;
export type ChangingList = (typeof CHANGING_LISTS)[number];

/** The changes that an agent wants to be notified of */
export interface Subscription {
  readonly lists: readonly ChangingList[];
  /** Resource URIs as the agent writes them */
  readonly uris: readonly string[];
}

const MEMBERS = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const satisfies Record<ChangingList, keyof SubscriptionFilter>;

/** Limits the URIs, each of which is stored while the stream is open */
const MAX_URIS = 100;
const MAX_URI_LENGTH = 2048;

/** @throws {RpcError} -32602 */
export function readSubscription(notifications: unknown): Subscription {
  const { data } = SubscriptionFilter.safeParse(withoutNulls(notifications));
  if (!data) throw invalid('notifications must be an object of booleans and resourceSubscriptions');
  const uris = [...new Set(data.resourceSubscriptions)];
  if (uris.length > MAX_URIS || uris.some((uri) => uri.length > MAX_URI_LENGTH))
    throw invalid(
      `resourceSubscriptions must have at most ${MAX_URIS} URIs of at most ${MAX_URI_LENGTH} characters`,
    );
  return { lists: listsIn(data), uris };
}

/** Many clients write null for a member that they leave out. */
const withoutNulls = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) : value;

export const listsIn = (filter: SubscriptionFilter): readonly ChangingList[] =>
  CHANGING_LISTS.filter((list) => filter[MEMBERS[list]] === true);

export const filterOf = ({ lists, uris }: Subscription): SubscriptionFilter => ({
  ...Object.fromEntries(lists.map((list) => [MEMBERS[list], true])),
  ...(uris.length > 0 && { resourceSubscriptions: [...uris] }),
});

/** The subscription for one tool server, and how the agent writes its URIs */
export interface Share {
  readonly filter: SubscriptionFilter;
  /** The tool server's URI → the agent's */
  readonly uris: ReadonlyMap<string, string>;
}

/** @returns undefined if the subscription does not concern the connector */
export function shareOf(
  { lists, uris }: Subscription,
  connector: Connector,
  { naming }: Pick<McpEndpoint, 'naming'>,
): Share | undefined {
  // An agent that is bound to single tools may use only those.
  const isBound = connector.binding?.tools !== undefined;
  const own = new Map(
    (isBound ? [] : uris).flatMap((uri): [string, string][] => {
      const target = naming.findByUri(uri);
      return target?.connector.id === connector.id ? [[target.name, uri]] : [];
    }),
  );
  const asked = isBound ? lists.filter((list) => list === 'tools') : lists;
  if (asked.length === 0 && own.size === 0) return undefined;
  return { filter: filterOf({ lists: asked, uris: [...own.keys()] }), uris: own };
}

const invalid = (detail: string): RpcError =>
  new RpcError(INVALID_PARAMS, `Invalid params: ${detail}`, { status: 400 });
