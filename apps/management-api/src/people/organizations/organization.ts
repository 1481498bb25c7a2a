import { OrganizationId } from '@legate/ids';
import { AgentPolicy } from '@legate/management-contract';
import { z } from 'zod';
import { DisplayName } from '../../domain/display-name.ts';
import { Instant } from '../../domain/instant.ts';
import { DEFAULT_ROLES, ROLE_SOURCES } from '../../domain/rights.ts';

const DefaultRole = z.enum(DEFAULT_ROLES);
const RoleSource = z.enum(ROLE_SOURCES);

export const OrganizationBody = z
  .strictObject({
    id: OrganizationId.describe("The identity provider's `organization_id`"),
    name: z.string(),
    plan: z.enum(['free', 'pro', 'custom']),
    requests_per_minute: z.number().int().describe('What the rate limit headers count down from'),
    status: z
      .enum(['active', 'suspended', 'deleted'])
      .describe('Unless it is `active`, requests of its members are refused, here and at the tool hub'),
    default_role: DefaultRole.nullable().describe(
      'Role of a member whose first token names no role; `none` refuses them. `null`: the default of the deployment',
    ),
    role_source: RoleSource.describe(
      "`local`: a member's first token sets their role, which can then be changed here. `identity_provider`: the newest token decides",
    ),
    agent_policy: AgentPolicy.describe(
      'What the tool hub requires for lists and calls. `named`: the id of an agent. `authenticated`: a session or MCP client that is bound to an agent',
    ),
    suspended_at: Instant.nullable(),
    suspended_by: z
      .enum(['owner', 'operator'])
      .nullable()
      .describe('Owners cannot end a suspension by the operator'),
    deleted_at: Instant.nullable(),
    purge_at: Instant.nullable().describe(
      'For a deleted organization: time until which an owner can restore it',
    ),
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'Organization', description: 'An organization and its plan.' });
export type OrganizationBody = z.output<typeof OrganizationBody>;

/** A merge patch of an organization; all other fields are read-only. */
export const UpdateOrganization = z.strictObject({
  name: DisplayName.optional(),
  default_role: DefaultRole.nullable().optional(),
  role_source: RoleSource.optional(),
  agent_policy: AgentPolicy.optional(),
});
export type UpdateOrganization = z.output<typeof UpdateOrganization>;

/** The name of the organization, which confirms that the right one is meant. */
export const DeleteOrganization = z.strictObject({ confirm: DisplayName });
