import { expect, it } from '@jest/globals';
import { CONNECTOR_FIELDS } from '../catalog/connectors/connector.ts';
import { concernedBy, reasonOf } from './revocation.ts';

const CONNECTOR = { type: 'connector', id: 'con_a', name: 'A' } as const;
const AGENT = { type: 'agent', id: 'agt_a', name: 'A' } as const;
const MEMBER = { type: 'member', id: 'mem_a', name: 'A' } as const;
const ORGANIZATION = { type: 'organization', id: 'org_a', name: 'A' } as const;
const changed = (field: string, to: unknown = 'new') => ({ [field]: { from: 'old', to } });

/** Changes of these settings keep a connector's tokens; changes of all others end them. */
const WITHOUT_TOKENS: readonly string[] = ['name', 'slug', 'enabled'];
const TOKEN_FIELDS = [
  ...CONNECTOR_FIELDS.filter((field) => !WITHOUT_TOKENS.includes(field)),
  'secret',
  'fallback_secret',
];

it.each([
  ['connector.deleted', [CONNECTOR], {}, { kind: 'connector', id: 'con_a' }],
  ['connector.secret_set', [CONNECTOR], {}, { kind: 'connector', id: 'con_a' }],
  ['connector.secret_removed', [CONNECTOR], {}, { kind: 'connector', id: 'con_a' }],
  ['connector.fallback_approved', [CONNECTOR], {}, { kind: 'connector', id: 'con_a' }],
  ['connector.updated', [CONNECTOR], changed('enabled', false), { kind: 'connector', id: 'con_a' }],
  ...TOKEN_FIELDS.map(
    (field) =>
      ['connector.updated', [CONNECTOR], changed(field), { kind: 'connector', id: 'con_a' }] as const,
  ),
  ['agent.deleted', [AGENT], {}, { kind: 'agent', id: 'agt_a' }],
  ['agent.updated', [AGENT], changed('status', 'disabled'), { kind: 'agent', id: 'agt_a' }],
  ['agent.connector_set', [AGENT, CONNECTOR], changed('tools'), { kind: 'agent', id: 'agt_a' }],
  ['agent.connector_removed', [AGENT, CONNECTOR], {}, { kind: 'agent', id: 'agt_a' }],
  ['agent.client_removed', [AGENT], {}, { kind: 'agent', id: 'agt_a' }],
  ['member.removed', [MEMBER], changed('role', null), { kind: 'member', id: 'mem_a' }],
  ['organization.deleted', [ORGANIZATION], changed('status'), { kind: 'organization' }],
  ['organization.suspended', [ORGANIZATION], changed('status'), { kind: 'organization' }],
  ['organization.reactivated', [ORGANIZATION], changed('status'), { kind: 'organization' }],
  ['organization.restored', [ORGANIZATION], changed('status'), { kind: 'organization' }],
] as const)('%s of %j with %j must be sent to the hub', (action, targets, changes, concerned) => {
  expect(concernedBy({ action, targets, changes })).toEqual(concerned);
});

it.each([
  ['connector.created', [CONNECTOR], changed('enabled', true)],
  ['connector.updated', [CONNECTOR], changed('name')],
  ['connector.updated', [CONNECTOR], changed('enabled', true)],
  ['connector.restored', [CONNECTOR], {}],
  ['connector.tokens_revoked', [CONNECTOR], {}],
  ['agent.updated', [AGENT], changed('name')],
  ['member.updated', [MEMBER], changed('role', 'viewer')],
  ['organization.updated', [], changed('name')],
  ['site.deleted', [{ type: 'site', id: 'site_a', name: 'A' }], {}],
] as const)('%s of %j with %j need not be sent to the hub', (action, targets, changes) => {
  expect(concernedBy({ action, targets, changes })).toBeUndefined();
});

it.each([
  ['a new secret', changed('secret'), 'connector.secret_set'],
  [
    'new secrets and a name',
    { ...changed('secret'), ...changed('fallback_secret'), ...changed('name') },
    'connector.secret_set',
  ],
  ...['resource_url', 'client_id', 'issuer', 'auth_method', 'fallback', 'scopes'].map(
    (field) =>
      [
        `a new secret and another ${field}`,
        { ...changed('secret'), ...changed(field) },
        'connector.updated',
      ] as const,
  ),
  [
    'a new secret, and is disabled',
    { ...changed('secret'), ...changed('enabled', false) },
    'connector.updated',
  ],
  ['its secret no more', changed('secret', null), 'connector.updated'],
  ['its first secret', { secret: { from: null, to: 'new' } }, 'connector.updated'],
])('reports to the hub the reason for a connector that gets %s', (_case, changes, reason) => {
  expect(reasonOf({ action: 'connector.updated', targets: [CONNECTOR], changes })).toBe(reason);
  expect(reasonOf({ action: 'connector.deleted', targets: [CONNECTOR], changes })).toBe('connector.deleted');
});
