import { describe, expect, it } from '@jest/globals';
import type { Connector } from '../../domain/connector.ts';
import { presentHub } from './server-info.ts';

const connectors = (...names: string[]): ReadonlyMap<string, Connector> =>
  new Map(names.map((name, i) => [`c${i}`, { id: `c${i}`, slug: `s${i}`, name } as unknown as Connector]));

const linesOf = (of: ReadonlyMap<string, Connector>) => presentHub(of).instructions?.split('\n') ?? [];

describe('the instructions of the hub', () => {
  it('name 25 connectors and count the others', () => {
    const lines = linesOf(connectors(...Array.from({ length: 27 }, () => 'Notes')));
    expect(lines.filter((line) => /^s\d+: Notes$/.test(line))).toHaveLength(25);
    expect(lines.at(-1)).toBe('and 2 more');
  });

  it('have one short line for a connector, whatever its name', () => {
    expect(linesOf(connectors('No\ntes\u2028\u202e of\tall')).at(-1)).toBe('s0: No tes of all');
    expect(linesOf(connectors('x'.repeat(200))).at(-1)).toHaveLength('s0: '.length + 64);
  });

  it('name nothing where there are no connectors', () => {
    expect(linesOf(connectors())).toHaveLength(1);
  });
});
