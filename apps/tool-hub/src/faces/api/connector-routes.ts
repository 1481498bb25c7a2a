import { JsonText } from '@legate/operations';
import { PageQuery, pageOf } from '@legate/pagination';
import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import type { ListTools } from '../../calls/list-tools.ts';
import { type ConnectorAccess, readAgentId, requireConnector } from '../../connectors/access.ts';
import type { Caller } from '../../domain/caller.ts';
import type { Connector } from '../../domain/connector.ts';
import { Presence } from '../../domain/presence.ts';
import { type Endings, untilEnded } from '../../sign-in/endings.ts';
import { pageOfAll } from './answers.ts';
import { type HubOperation, operation } from './operation.ts';
import { CONNECTOR_PROBLEMS, TOOL_SERVER_PROBLEMS } from './problem-groups.ts';

const ListedConnector = z
  .strictObject({
    id: z.string(),
    slug: z.string().describe('Short name. It is the prefix of tool names at `/mcp`.'),
    name: z.string(),
    resource: z.string().describe('Resource identifier of the tool server'),
    auth_method: z.string(),
    scopes: z.array(z.string()),
  })
  .meta({ id: 'Connector' });

const Tool = z
  .looseObject({
    name: z.string().describe('Name of the tool at its tool server'),
    mcp_name: z
      .string()
      .optional()
      .describe('Name of the tool at `/mcp`. Absent: the tool is not available there'),
    title: z.string().optional(),
    description: z.string().optional(),
    inputSchema: z.unknown().optional().describe('JSON Schema of its arguments'),
    _meta: z
      .looseObject({
        'legate/approval': z
          .enum(['required', 'not-required'])
          .optional()
          .describe('Whether the user must approve each call. Absent: the request names no agent'),
      })
      .optional(),
  })
  .describe('A tool as its tool server describes it. Do not trust the text.')
  .meta({ id: 'Tool' });

/** Operations that show applications the connectors of their user's organization, or of one of its agents */
export function connectorOperations(deps: {
  access: ConnectorAccess;
  /** Cancels a request if its session ends meanwhile. */
  watch: Endings['watch'];
  listTools: ListTools;
  /** Runs in front of an operation that reads no token, and so does not notice a sign-out. */
  refuseSignedOut: RequestHandler;
  /** Time limit of one list, including all requests to the tool server */
  timeoutMs: number;
}): HubOperation[] {
  const { access, watch, listTools, refuseSignedOut, timeoutMs } = deps;
  const connectorsOf = (req: Request, caller: Caller) => access(caller, readAgentId(req, caller));

  return [
    operation('listConnectors', 'get', '/connectors', {
      summary: 'List the connectors that the user may use',
      access: 'agents',
      readsSignOuts: true,
      guards: [refuseSignedOut],
      query: PageQuery,
      responses: { 200: { description: 'A page of the list', schema: pageOf(ListedConnector) } },
      problems: ['validation_failed', ...CONNECTOR_PROBLEMS],
      handle: async ({ query, caller, req }) => {
        const { connectors } = await connectorsOf(req, caller);
        return pageOfAll([...connectors.values()], query, toWire);
      },
    }),

    operation('listTools', 'get', '/connectors/{connector_id}/tools', {
      summary: 'List the tools of a connector',
      description: 'Tools that the tool server lists for this user. For an agent, only those bound to it.',
      access: 'agents',
      readsSignOuts: true,
      responses: {
        200: {
          description: 'All of them',
          schema: z.strictObject({ tools: z.array(Tool) }),
          headers: ['Legate-Acts-As'],
        },
      },
      problems: TOOL_SERVER_PROBLEMS,
      handle: async ({ params: { connectorId }, caller, req, res }) => {
        const presence = Presence.of(res);
        const waiting = { caller, presence, at: { connectorId } };
        const { tools, actsAs } = await untilEnded(watch, waiting, async () => {
          const connector = requireConnector(await connectorsOf(req, caller), connectorId);
          return listTools(caller, connector, performance.now() + timeoutMs, presence);
        });
        return {
          status: 200,
          headers: { 'Legate-Acts-As': actsAs },
          body: new JsonText(`{"tools":[${tools.map(({ json }) => json).join(',')}]}`),
        } as const;
      },
    }),
  ];
}

/** Removes what only the hub may see. */
const toWire = (connector: Connector) => ({
  id: connector.id,
  slug: connector.slug ?? connector.id, // a connector of a set always has one
  name: connector.name,
  resource: connector.resource,
  auth_method: connector.methods[0].method,
  scopes: connector.scopes,
});
