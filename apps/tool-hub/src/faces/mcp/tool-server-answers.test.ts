import { expect, it } from '@jest/globals';
import { membersOf, NO_AGENT } from '@legate/mcp-client';
import { requiredCapabilities, undeclared } from './tool-server-answers.ts';

const form = { method: 'elicitation/create', params: { message: 'Sure?' } };
const url = { method: 'elicitation/create', params: { mode: 'url' } };
const sampling = { method: 'sampling/createMessage' };
const roots = { method: 'roots/list' };

it.each<[string, object[], Record<string, unknown>, object | undefined]>([
  ['a form, of an agent that has forms', [form], { elicitation: {} }, undefined],
  ['a form, of one that says so', [form], { elicitation: { form: {} } }, undefined],
  [
    'a form, of one that opens URLs only',
    [form],
    { elicitation: { url: {} } },
    { elicitation: { form: {} } },
  ],
  ['a URL, of one that has forms only', [url], { elicitation: {} }, { elicitation: { url: {} } }],
  ['both, of one that has neither', [form, url], {}, { elicitation: { form: {}, url: {} } }],
  ['more than one thing', [sampling, roots], { roots: {} }, { sampling: {} }],
  ['nothing', [], {}, undefined],
])('finds undeclared capabilities if a tool asks for %s', (_case, requests, capabilities, expected) => {
  const agent = { ...NO_AGENT, capabilities: membersOf(JSON.stringify(capabilities)) };
  expect(undeclared({ inputRequests: { ...requests } }, agent)).toEqual(expected);
});

it.each<[string | undefined, object]>([
  ['{"requiredCapabilities":{"sampling":{}}}', { sampling: {} }],
  ['{"requiredCapabilities":[1]}', {}],
  [`{"requiredCapabilities":{"a":${'['.repeat(50)}${']'.repeat(50)}}}`, {}],
  ['[]', {}],
  [undefined, {}],
])('reads from %s what a tool server requires', (data, expected) => {
  expect(requiredCapabilities(data)).toEqual(expected);
});
