import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { calledTool, takeEvent } from './testing/example.ts';

it('shows the example that this test runs', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  expect(read('../README.md')).toContain(`\`\`\`ts\n${read('testing/example.ts')}\`\`\``);
});

it('reports a call whose tool name looks like a token in an event that is accepted', () => {
  const { url, event } = calledTool('Bearer abcdefghijkl', 'https://api.example');
  expect([url, event.targets]).toEqual([
    'https://api.example/internal/v1/audit-events',
    [{ type: 'tool', id: '[redacted]' }],
  ]);
  const now = new Date('2025-09-22');
  expect([takeEvent(event, now).accepted, takeEvent({}, now).refused.length]).toEqual([1, 1]);
});
