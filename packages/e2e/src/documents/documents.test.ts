import { describe, expect, it } from '@jest/globals';
import { readPage } from './blocks.ts';
import { difference } from './compare.ts';
import { stepsOf } from './steps.ts';

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\`\n`;

describe('a document', () => {
  it('is run block by block, and each command of a console block separately, with its expected output', () => {
    const page = readPage(
      'a.md',
      `# A\n\n${fence('bash', 'one')}\n<!-- doctest: output -->\n${fence('json', '{}')}\n- ${fence('console', '$ two \\\n  a\n1\n$ three').replaceAll('\n', '\n  ')}`,
    );
    expect(stepsOf(page).map(({ line, command, expected }) => [line, command, expected])).toEqual([
      [4, 'one', '{}'],
      [13, 'two \\\n  a', '1'],
      [16, 'three', undefined],
    ]);
  });

  it('leaves a block out only for a listed reason', () => {
    const marked = (mark: string) =>
      stepsOf(readPage('a.md', `<!-- doctest: ${mark} -->\n${fence('sh', 'one')}`));
    expect(marked('skip reason="docker"')).toEqual([]);
    expect(() => marked('skip reason="later"')).toThrow(
      'a.md:1: reason="later" is not one of: cluster, docker',
    );
    expect(() => marked('skip')).toThrow('skip reason="…" says why');
    expect(() => marked('skipped')).toThrow('doctest: skipped is no mark');
  });
});

describe('the output of a command', () => {
  it.each([
    ['{"id":"note_…","at":"2026-11-21T19:50:23.957Z"}', '{ "at": "2027-01-01T00:00:00Z", "id": "note_1" }'],
    ['{"a":1,"…":0}', '{"a":1,"b":2}'],
    ['{"duration_ms":12.5}', '{"duration_ms":1}'],
    ['first\n...\nlast', 'first\n1\n2\nlast'],
    ['first\n...', 'first'],
    ['{"a":1,…}', '{"a":1,"b":[2]}'],
    ['done in 3 ms', 'done in 41 ms'],
  ])('fits %j: %j', (shown, written) => {
    expect(difference(shown, written)).toBeUndefined();
  });

  it.each([
    ['{"a":1}', '{"a":2}'],
    ['{"a":1}', '{"a":1,"b":2}'],
    ['{"a":[1]}', '{"a":[1,2]}'],
    ['first\nlast', 'first\n1\nlast'],
    ['user_alice', 'user_bob'],
    ['{"id":"note_…"}', '{"id":"site_1"}'],
  ])('does not fit %j: %j', (shown, written) => {
    expect(difference(shown, written)).toEqual(expect.any(String));
  });
});
