import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
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
const slugged = (id: string, slug?: string): Connector => ({ ...connectorOf(id), slug });
const NOTES = slugged('con_1', 'notes');
const TASKS = slugged('con.2', 'tasks-2');
const LONG = slugged('x'.repeat(120), 'a-long-slug-1234');
const connectors = new Map([NOTES, TASKS, LONG].map((connector) => [connector.id as string, connector]));
const naming = prefixed(connectors);
const found = (full: string) => {
  const target = naming.findByName(full);
  return target && [target.connector.id, target.name, target.isHashed];
};

describe('with several connectors', () => {
  it.each([
    ['notes_list', ['con_1', 'list', false]],
    ['notes_list_all', ['con_1', 'list_all', false]],
    ['tasks-2_add', ['con.2', 'add', false]],
    ['notes_a_b--abcdefgh', ['con_1', 'notes_a_b--abcdefgh', true]],
    ['con_1.list', undefined],
    ['notes_list.v2', undefined],
    ['notes_', undefined],
    ['notes', undefined],
    ['_list', undefined],
    ['other_list', undefined],
    ['Notes_list', undefined],
    ['notes.list', undefined],
    ['.', undefined],
    ['', undefined],
  ])('the name %j refers to %j', (full, expected) => {
    expect(found(full)).toEqual(expected);
  });

  it.each([
    ['whoami', 'notes_whoami'],
    ['create-note', 'notes_create-note'],
    ['create_note', 'notes_create_note'],
    ['9lives', 'notes_9lives'],
    ['x'.repeat(44), `notes_${'x'.repeat(44)}`],
  ])('the tool %s is listed as %s', (name, listed) => {
    expect(naming.nameFor(NOTES, name)).toBe(listed);
  });

  it.each([
    ['notes.create', /^notes_notes_create--[a-z2-7]{8}$/],
    ['a__b', /^notes_a_b--[a-z2-7]{8}$/],
    ['_private', /^notes_private--[a-z2-7]{8}$/],
    ['a--abcdefgh', /^notes_a--abcdefgh--[a-z2-7]{8}$/],
    ['...', /^notes_--[a-z2-7]{8}$/],
    ['x'.repeat(45), /^notes_x{34}--[a-z2-7]{8}$/],
    ['x'.repeat(128), /^notes_x{34}--[a-z2-7]{8}$/],
    ['获取天气', /^notes_--[a-z2-7]{8}$/],
    ['files/read', /^notes_files_read--[a-z2-7]{8}$/],
    ['a:b', /^notes_a_b--[a-z2-7]{8}$/],
    ['a b', /^notes_a_b--[a-z2-7]{8}$/],
    ['y'.repeat(256), /^notes_y{34}--[a-z2-7]{8}$/],
  ])('the tool %s is listed with a hash', (name, listed) => {
    expect(naming.nameFor(NOTES, name)).toMatch(listed);
  });

  it('lists names that every model API accepts, each for only one tool, and finds the tool by its name', () => {
    const name = fc.oneof(
      fc.stringMatching(/^[A-Za-z0-9_.-]{1,128}$/),
      fc.stringMatching(/^[\p{L}\p{N}/:. -]{1,256}$/u),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { maxLength: 30 }),
        fc.constantFrom(NOTES, TASKS, LONG),
        (names, connector) => {
          const listed = names.map((own) => naming.nameFor(connector, own) ?? '');
          expect(new Set(listed).size).toBe(names.length);
          for (const [index, full] of listed.entries()) {
            expect(full).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
            expect([full.length <= 50, full.includes('__')]).toEqual([true, false]);
            const target = naming.findByName(full);
            expect(target?.connector).toBe(connector);
            const own = target?.isHashed
              ? names.find((each) => naming.nameFor(connector, each) === full)
              : target?.name;
            expect(own).toBe(names[index]);
          }
        },
      ),
    );
  });

  it.each([
    ['notes://1', 'legate://tasks-2/notes://1'],
    ['ui://page/a', 'ui://legate.tasks-2/page/a'],
    ['ui://legate.notes/a', 'ui://legate.tasks-2/legate.notes/a'],
  ])('the URI %s is listed as %s, and is found by it', (uri, full) => {
    expect(naming.uriFor(TASKS, uri)).toBe(full);
    const target = naming.findByUri(full);
    expect([target?.connector.id, target?.name]).toEqual(['con.2', uri]);
  });

  it.each([
    'ui://page/a',
    'ui://legate.other/a',
    'ui://legate.notes/',
    'ui://legate.notes',
    'legate://other/a',
    'legate://con_1/a',
  ])('the URI %s refers to nothing', (full) => {
    expect(naming.findByUri(full)).toBeUndefined();
  });

  it.each(['a\n', '\u202ea', '\ud800', '', 'y'.repeat(257), 7, null, undefined, { toString: 1 }])(
    'there is no name for %j',
    (name) => {
      expect(naming.nameFor(NOTES, name)).toBeUndefined();
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
  const own = unprefixed(NOTES);
  expect(own.nameFor(NOTES, 'con.a')).toBe('con.a');
  expect(own.findByName('con.a')).toEqual({ connector: NOTES, name: 'con.a', isHashed: false });
  expect(own.findByUri(own.uriFor(NOTES, 'a:b'))).toEqual({ connector: NOTES, name: 'a:b', isHashed: false });
  expect(own.nameFor(NOTES, 'a\nb')).toBeUndefined();
});

it('with one connector, names that are not valid in MCP are hashed, and are looked up in its list', () => {
  const own = unprefixed(NOTES);
  const listed = own.nameFor(NOTES, '获取天气') ?? '';
  expect(listed).toMatch(/^notes_--[a-z2-7]{8}$/);
  expect(own.findByName(listed)).toEqual({ connector: NOTES, name: listed, isHashed: true });
  expect(own.findByName('获取天气')).toEqual({ connector: NOTES, name: '获取天气', isHashed: false });
});

describe('a name that is too long', () => {
  it('refers to nothing', () => {
    expect(found(`a-long-slug-1234_${'x'.repeat(129)}`)).toBeUndefined();
    expect(unprefixed(NOTES).findByName('x'.repeat(257))).toBeUndefined();
  });

  it('begins one character above the longest possible name', () => {
    const name = 'x'.repeat(128);
    expect(found(`a-long-slug-1234_${name}`)).toEqual([LONG.id, name, false]);
    expect(unprefixed(NOTES).findByName(name)?.name).toBe(name);
  });
});
