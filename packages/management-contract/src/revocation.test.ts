import { expect, it } from '@jest/globals';
import { REVOCATION_REASON, RevocationRequest } from './revocation.ts';

const isAccepted = (body: object) => RevocationRequest.safeParse(body).success;
const WHOLE = { organization_id: 'org_acme', reason: 'organization.deleted' };

it.each<[string, object]>([
  ['an organization', {}],
  ['a connector', { connector_id: 'con_a' }],
  ['a user', { user_id: 'auth0|alice' }],
  ['an agent', { agent_id: 'agt_a' }],
])('may name %s', (_case, change) => {
  expect(isAccepted({ ...WHOLE, ...change })).toBe(true);
});

it.each<[string, object]>([
  ['no organization', { organization_id: undefined }],
  ['no reason', { reason: undefined }],
  ['a reason in prose', { reason: 'because I can' }],
  ['a connector and a user', { connector_id: 'con_a', user_id: 'user_alice' }],
  ['a connector and an agent', { connector_id: 'con_a', agent_id: 'agt_a' }],
  ['a user and an agent', { user_id: 'user_alice', agent_id: 'agt_a' }],
  ['a user with a colon', { user_id: 'auth0:alice' }],
  ['a member that is not in the contract', { connector: 'con_a' }],
])('is refused with %s', (_case, change) => {
  expect(isAccepted({ ...WHOLE, ...change })).toBe(false);
});

it('distinguishes the reasons that the hub handles specially', () => {
  expect(REVOCATION_REASON).toEqual({
    newSecret: 'connector.secret_set',
    fallbackApproved: 'connector.fallback_approved',
    accessRevoked: 'member.access_revoked',
    agentDeleted: 'agent.deleted',
    agentStatus: 'agent.updated',
    agentClientRemoved: 'agent.client_removed',
  });
});

it.each(Object.values(REVOCATION_REASON))('accepts the reason %s', (reason) => {
  expect(isAccepted({ ...WHOLE, reason })).toBe(true);
});
