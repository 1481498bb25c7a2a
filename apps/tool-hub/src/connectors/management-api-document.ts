import { z } from 'zod';
import { type Connector, mcpUrlOf } from './connector.ts';
import { type OrganizationConnectors, organizationConnectors } from './connector-set.ts';

/** Part of a cache key, whose separator is a colon (product spec §5). */
const id = z.string().regex(/^[A-Za-z0-9_.-]{1,128}$/);
/** RFC 6749 §3.3 */
const scopes = z.array(z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]{1,255}$/)).max(100);

const ConnectorRecord = z.object({
  id,
  organization_id: id,
  name: z.string().min(1).max(500),
  resource_url: z
    .string()
    .max(2048)
    .regex(/^https?:\/\/[^\s#]+$/)
    .refine((url) => URL.canParse(url)),
  /** Newer methods than ours are no fault of the document. */
  auth_method: z.string().max(100),
  scopes,
  client_id: z.string().min(1).max(255).nullable(),
  /** Null where there is none, and where it cannot be read */
  secret: z.string().min(1).max(4096).nullable(),
  secret_unreadable: z.boolean(),
});

const AgentRecord = z.object({
  id,
  status: z.string().max(100),
  connectors: z.array(
    z.object({
      connector_id: id,
      scopes: scopes.nullable(),
      tools: z.array(z.string().min(1).max(128)).max(200).nullable(),
    }),
  ),
});

/** What management-api says of one organization. Members that we do not know are a newer version's. */
const OrganizationDocument = z.object({
  organization: z.object({ id, status: z.enum(['active', 'suspended']) }),
  connectors: z.array(ConnectorRecord).max(10_000),
  agents: z.array(AgentRecord).max(10_000),
  removed_users: z.array(z.string().max(255)),
});

/** `message` names places and never values: there are secrets among them. */
export class UnusableDocument extends Error {
  override readonly name = 'UnusableDocument';
}

/**
 * Reads the document, or refuses it as a whole: half of it could be the wrong half.
 * @returns undefined for an organization that is suspended
 * @throws {UnusableDocument} also where anything in it is another organization's
 */
export function readOrganizationDocument(
  organizationId: string,
  body: unknown,
): OrganizationConnectors | undefined {
  const parsed = OrganizationDocument.safeParse(body);
  if (!parsed.success) {
    const places = parsed.error.issues.slice(0, 5).map(({ path }) => path.join('.') || 'document');
    throw new UnusableDocument(`malformed: ${places.join(' ')}`);
  }
  const { organization, connectors, agents, removed_users } = parsed.data;
  const owners = [organization.id, ...connectors.map((connector) => connector.organization_id)];
  if (owners.some((owner) => owner !== organizationId))
    throw new UnusableDocument('it holds what is another organization’s');
  if (hasTwice(connectors) || hasTwice(agents)) throw new UnusableDocument('it has an id twice');
  if (organization.status !== 'active') return undefined;

  const usable = new Map<string, Connector>();
  const faults = new Map<string, string>();
  for (const record of connectors) {
    const connector = toConnector(record);
    if (typeof connector === 'string') faults.set(record.id, connector);
    else usable.set(record.id, connector);
  }
  const bound = agents.map((agent) => ({
    id: agent.id,
    isActive: agent.status === 'active',
    bindings: agent.connectors.map((binding) => ({
      connectorId: binding.connector_id,
      scopes: binding.scopes ?? undefined,
      tools: binding.tools ?? undefined,
    })),
  }));
  return organizationConnectors(usable, faults, bound, removed_users);
}

/** @returns why it cannot be used, where it cannot */
function toConnector(record: z.output<typeof ConnectorRecord>): Connector | string {
  if (record.auth_method !== 'id-jag') return 'this hub does not serve its authentication method';
  if (record.secret_unreadable) return 'its secret cannot be read; set it again';
  if (record.secret === null || record.client_id === null) return 'it has no client or no secret';
  return {
    id: record.id,
    organizationId: record.organization_id,
    name: record.name,
    resource: record.resource_url,
    mcpUrl: mcpUrlOf(record.resource_url),
    methods: [
      {
        method: record.auth_method,
        clientId: record.client_id,
        clientAuth: { method: 'client_secret_post', clientSecret: record.secret },
        issuer: undefined,
        audience: undefined,
      },
    ],
    scopes: [...new Set(record.scopes)],
  };
}

const hasTwice = (items: readonly { id: string }[]): boolean =>
  new Set(items.map((item) => item.id)).size !== items.length;
