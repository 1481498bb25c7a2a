import { expect, it } from '@jest/globals';
import { CLIENT_ID, examineFake, signIdToken } from './testing/fake-provider.ts';

const examine = async (claims: object, target: Parameters<typeof examineFake>[0] = {}) => {
  const tokens = { idToken: await signIdToken(claims), refreshToken: 'the-refresh-token' };
  const { leg, report, settings } = await examineFake({ clientId: CLIENT_ID, tokens, ...target });
  return { finding: leg('organization'), settings, text: JSON.stringify(report) };
};

it('finds the organization in the claim of the kind', async () => {
  const { finding, text } = await examine({});
  expect(finding).toMatchObject({
    status: 'ok',
    detail: 'The organization is in the claim organization_id.',
    evidence: { '{"claim":"organization_id"}': 'one value', '{"fixed":"org_…"}': expect.any(String) },
  });
  expect(text).not.toContain('org_acme');
});

it('shows the values only if asked to', async () => {
  const { finding } = await examine({}, { showsValues: true });
  expect(finding.evidence?.['{"claim":"organization_id"}']).toBe('org_acme');
});

it.each([
  ['a list', { groups: ['a', 'b'] }, 'groups', 'ambiguous: 2 values'],
  ['an object', { organization: { acme: { id: '1' } } }, 'organization', 'one value'],
  ['a text', { tid: '8eaf' }, 'tid', 'one value'],
])('says what a rule would give for %s', async (_case, claims, name, gives) => {
  const { finding } = await examine({ organization_id: undefined, ...claims });
  expect(finding).toMatchObject({
    status: 'warn',
    detail: expect.stringContaining('no claim organization_id'),
    remedy: expect.stringContaining(`{"claim":"${name}"}`),
    evidence: { [`{"claim":"${name}"}`]: gives },
  });
});

it.each([
  [
    'several values',
    'generic',
    { organization_id: ['a', 'b'] },
    '{"claim":"organization_id","map":{"…":"org_…"}}',
  ],
  ['a kind without a claim', 'okta', {}, '{"fixed":"org_…"}'],
] as const)('prints the rule that it advises for %s', async (_case, kind, claims, rule) => {
  const { finding, settings } = await examine(claims, { kind });
  expect(finding.remedy).toContain(`ORGANIZATION_RULE=${rule}`);
  for (const service of [settings?.hub, settings?.managementApi ?? settings?.hub])
    expect(service?.ORGANIZATION_RULE).toBe(rule);
});

it('advises another claim than one that no rule can read', async () => {
  const { finding } = await examine({ organization_id: { id: 'x' }, groups: 'a' });
  expect(finding.remedy).toMatch(/"fixed".*"groups"/);
  expect(finding.remedy).not.toContain('organization_id');
});

it.each([
  ['where the claim of the kind does', {}],
  // A rule for everybody would let in those whose token lacks the claim for a reason.
  ['for a claim that this token lacks', { organization_id: undefined, groups: 'a' }],
])('prints no rule %s', async (_case, claims) => {
  const { settings } = await examine(claims);
  expect(settings?.hub).not.toHaveProperty('ORGANIZATION_RULE');
});

it.each([
  ['the only value of a list', ['org_acme', 'org_acme'], 'ok', 'is in the claim'],
  ['several values', ['org_acme', 'org_globex'], 'warn', 'has several values'],
  ['an object that describes the organization', { id: 'org_acme' }, 'warn', 'is not the id'],
  ['a text that cannot be an id', 'a:b', 'warn', 'is not the id'],
])('judges %s as the services do', async (_case, organization_id, status, says) => {
  const { finding } = await examine({ organization_id });
  expect(finding).toMatchObject({ status, detail: expect.stringContaining(says) });
});

it('wants a rule for a kind that has no claim', async () => {
  const { finding } = await examine({ organization_id: undefined }, { kind: 'okta' });
  expect(finding).toMatchObject({ status: 'warn', remedy: expect.stringContaining('{"fixed":"org_…"}') });
});

it('says that groups were left out because there are too many', async () => {
  const { finding } = await examine({ hasgroups: true });
  expect(finding.evidence?.groups).toContain('left out');
});

it('does not propose claims about the user', async () => {
  const { finding } = await examine({ name: 'Alice', preferred_username: 'alice' });
  expect(Object.keys(finding.evidence ?? {}).join()).not.toMatch(/name"|username/);
});

it('needs an ID token', async () => {
  const { leg } = await examineFake({});
  expect(leg('organization')).toMatchObject({
    status: 'skipped',
    detail: 'Needs the ID token of a sign-in.',
  });
});
