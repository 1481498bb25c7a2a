import { describe, expect, it } from '@jest/globals';
import { ConnectorsDocument } from '../../connectors/connectors-document.ts';
import type { Connector } from '../../domain/connector.ts';
import { prefixed, unprefixed } from './names.ts';

const connectorOf = (id: string): Connector => {
  const record = {
    ...{ id, organization_ids: ['org_acme'], name: 'Tools', resource: 'https://tools.example' },
    ...{ auth_method: 'id-jag', client_id: 'hub', client_secret: 'secret' },
  };
  const [connector] = ConnectorsDocument.parse({ connectors: [record] }).connectors;
  if (!connector) throw new Error('is there no connector?');
  return connector;
};
const IDS = ['con', 'con.a', 'con.a.b', 'x'.repeat(120)];
const connectors = new Map(IDS.map((id) => [id, connectorOf(id)]));
const naming = prefixed(connectors);
const found = (full: string) => {
  const target = naming.findByName(full);
  return target && [target.connector.id, target.name];
};

describe('with several connectors', () => {
  it.each([
    ['con.tool', ['con', 'tool']],
    ['con.tool.v2', ['con', 'tool.v2']],
    ['con.a.tool', ['con.a', 'tool']],
    ['con.a.b.tool', ['con.a.b', 'tool']],
    ['con.a.b', ['con.a', 'b']],
    ['con.a', ['con', 'a']],
    ['con..tool', ['con', '.tool']],
    ['con.', undefined],
    ['con', undefined],
    ['.tool', undefined],
    ['.', undefined],
    ['', undefined],
    ['other.tool', undefined],
    ['conx.tool', undefined],
  ])('the name %j refers to %j', (full, expected) => {
    expect(found(full)).toEqual(expected);
  });

  it('every name refers back to its item, and no two are equal', () => {
    const names = ['a', 'b', 'a.b', 'a.b.c', 'b.c', 'c', '.', '..', 'a.', '-', 'y'.repeat(7), 'y'.repeat(8)];
    const given = [...connectors.values()].flatMap((connector) =>
      names.flatMap((name) => {
        const full = naming.nameFor(connector, name);
        return full === undefined ? [] : [{ full, expected: [connector.id, name] }];
      }),
    );
    for (const { full, expected } of given) expect(found(full)).toEqual(expected);
    expect(new Set(given.map(({ full }) => full)).size).toBe(given.length);
    expect(given.length).toBeGreaterThan(30);
  });

  it.each([
    ['notes://1', 'legate://con.a/notes://1'],
    ['ui://page/a', 'ui://legate.con.a/page/a'],
    ['ui://legate.con/a', 'ui://legate.con.a/legate.con/a'],
  ])('the URI %s is named %s, and refers back to it', (uri, full) => {
    const connector = connectorOf('con.a');
    expect(naming.uriFor(connector, uri)).toBe(full);
    const target = naming.findByUri(full);
    expect([target?.connector.id, target?.name]).toEqual(['con.a', uri]);
  });

  it.each(['ui://page/a', 'ui://legate.other/a', 'ui://legate.con/', 'ui://legate.con'])(
    'the URI %s refers to nothing',
    (full) => {
      expect(naming.findByUri(full)).toBeUndefined();
    },
  );

  it.each(['a b', 'a\n', 'é', '', 'a/b', 'y'.repeat(128), 7, null, undefined, { toString: 1 }])(
    'there is no name for %j',
    (name) => {
      const connector = connectors.get('con');
      expect(connector && naming.nameFor(connector, name)).toBeUndefined();
    },
  );

  it.each([
    'file:///a b',
    'notes://{id}{?q*}',
    'https://a.example/../b?c=d#e',
    'x:y\nz',
    '/',
    'legate://con/x',
  ])('the URI %j is restored unchanged', (uri) => {
    for (const connector of connectors.values()) {
      const target = naming.findByUri(naming.uriFor(connector, uri));
      expect(target && [target.connector, target.name]).toEqual([connector, uri]);
    }
  });
});

it('with one connector, names are unchanged', () => {
  const connector = connectorOf('con');
  const own = unprefixed(connector);
  expect(own.nameFor(connector, 'con.a')).toBe('con.a');
  expect(own.findByName('con.a')).toEqual({ connector, name: 'con.a' });
  expect(own.findByUri(own.uriFor(connector, 'a:b'))).toEqual({ connector, name: 'a:b' });
  expect(own.nameFor(connector, 'a b')).toBeUndefined();
});

describe('a name that is too long', () => {
  it('refers to nothing, and is not scanned', () => {
    const looked: string[] = [];
    const watched = new (class extends Map<string, Connector> {
      override get(id: string) {
        looked.push(id);
        return super.get(id);
      }
    })(connectors);
    expect(prefixed(watched).findByName(`con${'.'.repeat(1_000_000)}`)).toBeUndefined();
    expect(looked).toEqual([]);
    expect(unprefixed(connectorOf('con')).findByName('x'.repeat(129))).toBeUndefined();
  });

  it('begins one character above the longest possible name', () => {
    const name = 'x'.repeat(128);
    expect(found(`con.a.${name}`)).toEqual(['con.a', name]);
    expect(unprefixed(connectorOf('con')).findByName(name)?.name).toBe(name);
  });
});
