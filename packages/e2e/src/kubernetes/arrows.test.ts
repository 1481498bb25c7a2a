import { describe, expect, it } from '@jest/globals';
import { arrowsOf } from './arrows.ts';
import { manifestsOf, OVERLAYS } from './overlays.ts';
import { podsOf } from './workloads.ts';

/** The arrows of the diagram in ARCHITECTURE.md, and the other connections. */
const BETWEEN_SERVICES = [
  'console -> management-api:4000', // as the signed-in user
  'console -> tool-hub:4001',
  'management-api -> reference-mcp-server:4003', // reads the metadata of a connector's server
  'management-api -> tool-hub:4001', // invalidations; its keys
  'reference-mcp-server -> management-api:4000', // sites, for a user
  'reference-mcp-server -> tool-hub:4001', // transaction tokens
  'tool-hub -> management-api:4000', // connectors, audit events
  'tool-hub -> reference-mcp-server:4003', // access tokens, tools
];
const WITH_MOCK_IDP = [
  'console -> mock-idp:4002', // sign-in, keys
  'management-api -> mock-idp:4002', // sign-in, keys, organizations
  'mock-idp -> console:4004', // back-channel logout
  'mock-idp -> tool-hub:4001',
  'reference-mcp-server -> mock-idp:4002', // keys, its own tokens
  'tool-hub -> mock-idp:4002', // ID-JAGs, keys
];
const DEVELOPMENT_STORES = [
  'management-api -> postgres:5432',
  ...['console', 'management-api', 'mock-idp', 'reference-mcp-server', 'tool-hub'].map(
    (name) => `${name} -> redis:6379`,
  ),
];
const SERVICES = ['console', 'management-api', 'reference-mcp-server', 'tool-hub'];
const OUTSIDE = '(internet)';
const around = (name: string): string[] => [
  `${name} -> kube-system/kube-dns:53`,
  `monitoring -> ${name}:9464`,
];

describe('only these connections are allowed', () => {
  it('between the services in development', () => {
    const { between, beyond } = arrowsOf('overlays/development');
    expect(between).toEqual([...BETWEEN_SERVICES, ...WITH_MOCK_IDP, ...DEVELOPMENT_STORES].sort());
    const stores = ['postgres', 'redis'].map((name) => `${name} -> kube-system/kube-dns:53`);
    expect(beyond).toEqual([...[...SERVICES, 'mock-idp'].flatMap(around), ...stores].sort());
  });

  it('between the services in production, and with the outside', () => {
    const { between, beyond } = arrowsOf('overlays/production');
    expect(between).toEqual(BETWEEN_SERVICES);
    expect(beyond).toEqual(
      [
        ...SERVICES.flatMap((name) => [
          ...around(name),
          `${name} -> ${OUTSIDE}:443`,
          `${name} -> ingress-nginx:443`,
          `${name} -> 10.20.0.0/24:6379`,
          `${name} -> 10.20.0.0/24:26379`,
        ]),
        'ingress-nginx -> console:4004',
        'ingress-nginx -> management-api:4000',
        'ingress-nginx -> reference-mcp-server:4003',
        'ingress-nginx -> tool-hub:4001',
        'management-api -> 10.20.1.0/24:5432',
      ].sort(),
    );
  });

  it('of the migration, which is applied first and may connect only to the database', () => {
    const { between, beyond } = arrowsOf('overlays/production/migration');
    expect(between).toEqual([]);
    expect(beyond).toEqual([
      'management-api-migration -> 10.20.1.0/24:5432',
      'management-api-migration -> kube-system/kube-dns:53',
    ]);
  });
});

it.each(OVERLAYS)(
  '%s is complete on its own: its namespace, a policy that denies, and DNS for each pod',
  (overlay) => {
    expect(manifestsOf(overlay).map(({ kind }) => kind)).toContain('Namespace');
    const { beyond } = arrowsOf(overlay); // throws without a policy that denies
    const resolving = beyond.filter((arrow) => arrow.endsWith('-> kube-system/kube-dns:53'));
    expect(resolving).toHaveLength(podsOf(overlay).size);
  },
);
