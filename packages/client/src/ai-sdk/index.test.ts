import { describe, expect, it } from '@jest/globals';
import { generateText, type ModelMessage, stepCountIs } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { agentHub, MIXED_TEXTS } from '../testing/agent-hub.ts';
import { legateTools, type ToolsOptions } from './index.ts';

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/**
 * An agent whose model calls these tools, and ends when it has their results; `offered` are the tools in its prompt.
 */
async function agentThatCalls(names: readonly string[], options: ToolsOptions = {}) {
  const hub = agentHub();
  const own = await legateTools(hub.legate, options);
  const model = new MockLanguageModelV3({
    async doGenerate({ prompt }) {
      const isAnswered = prompt.at(-1)?.role === 'tool';
      return {
        content: isAnswered
          ? [{ type: 'text', text: 'done' }]
          : names.map((name) => ({
              ...{ type: 'tool-call' as const, toolCallId: `call-${name}` },
              ...{ toolName: `notes_${name}`, input: '{"text":"hi"}' },
            })),
        finishReason: isAnswered
          ? { unified: 'stop', raw: undefined }
          : { unified: 'tool-calls', raw: undefined },
        usage: USAGE,
        warnings: [],
      };
    },
  });
  const run = (messages: ModelMessage[]) =>
    generateText({ model, tools: own.tools, messages, stopWhen: stepCountIs(3) });
  /** Returns the results that the model received. */
  const results = () =>
    (model.doGenerateCalls.at(-1)?.prompt ?? []).flatMap((message) =>
      message.role === 'tool'
        ? message.content.flatMap((part) => (part.type === 'tool-result' ? part.output : []))
        : [],
    );
  return { ...hub, ...own, run, results };
}
const ASK: ModelMessage[] = [{ role: 'user', content: 'Go' }];

describe('a call that needs approval', () => {
  it('runs once, and only after it is approved', async () => {
    const agent = await agentThatCalls(['create']);
    const paused = await agent.run(ASK);
    const requests = paused.content.flatMap((part) => (part.type === 'tool-approval-request' ? part : []));
    expect([requests.map(({ toolCall }) => toolCall.toolName), agent.called]).toEqual([['notes_create'], []]);
    const responses = requests.map(({ approvalId }) => ({
      ...{ type: 'tool-approval-response' as const, approvalId, approved: true },
    }));
    await agent.run([...ASK, ...paused.response.messages, { role: 'tool', content: responses }]);
    expect(agent.called).toEqual([['create', { text: 'hi' }]]);
    expect(agent.results()).toEqual([{ type: 'text', value: 'ran create' }]);
  });

  it('does not run when it is refused, while another approved call runs', async () => {
    const agent = await agentThatCalls(['create', 'new']);
    const paused = await agent.run(ASK);
    const requests = paused.content.flatMap((part) => (part.type === 'tool-approval-request' ? part : []));
    const responses = requests.map(({ approvalId, toolCall }) => ({
      ...{ type: 'tool-approval-response' as const, approvalId, reason: 'The user refused this call.' },
      approved: toolCall.toolName === 'notes_new',
    }));
    await agent.run([...ASK, ...paused.response.messages, { role: 'tool', content: responses }]);
    expect(agent.called.map(([name]) => name)).toEqual(['new']);
    expect(JSON.stringify(agent.results())).toContain('The user refused this call.');
  });

  it('is described to the person who decides', async () => {
    const agent = await agentThatCalls(['create']);
    await agent.run(ASK);
    expect(agent.describe({ toolName: 'notes_create', input: { text: 'hi' } })).toBe(
      'Create a note (notes), acts as alice@acme.example\n{\n  "text": "hi"\n}',
    );
  });
});

it.each([
  [undefined, ['notes_create', 'notes_new', 'notes_open']],
  ['ask' as const, ['notes_create', 'notes_new', 'notes_open', 'notes_read']],
  ['run' as const, ['notes_create', 'notes_new']],
])('asks as configured, and with whenUndecided %s if nothing is configured', async (whenUndecided, asked) => {
  const { toolApproval, tools } = await agentThatCalls([], whenUndecided ? { whenUndecided } : {});
  expect(Object.keys(toolApproval)).toEqual(asked); // AI SDK 7
  expect(
    Object.entries(tools)
      .filter(([, tool]) => tool.needsApproval)
      .map(([name]) => name),
  ).toEqual(asked);
});

it('returns what happened to the model, as a result', async () => {
  const agent = await agentThatCalls(['list', 'fail', 'draw', 'connect']);
  const { text } = await agent.run(ASK);
  expect([text, agent.results()]).toEqual([
    'done',
    [
      { type: 'text', value: 'ran list' },
      { type: 'error-text', value: 'The policy does not allow it.' },
      { type: 'content', value: [{ type: 'image-data', data: 'AAAA', mediaType: 'image/png' }] },
      {
        type: 'error-text',
        value:
          'The user must first connect their own account. Show them this link: https://hub.example/connect/con_1',
      },
    ],
  ]);
});

it('passes each block of a result to the model in its own form', async () => {
  const agent = await agentThatCalls(['mix', 'break']);
  await agent.run(ASK);
  const [structured, first, note, link, empty, unknown] = MIXED_TEXTS.map((text) => ({ type: 'text', text }));
  expect(agent.results()).toEqual([
    {
      type: 'content',
      value: [
        ...[structured, first],
        { type: 'image-data', data: 'AAAA', mediaType: 'image/png' },
        { type: 'file-data', data: 'BBBBBBBB', mediaType: 'audio/wav' },
        note,
        { type: 'file-data', data: 'CCCC', mediaType: 'application/pdf', filename: 'b.pdf' },
        { type: 'file-data', data: 'DDDD', mediaType: 'audio/mpeg', filename: 'voice' },
        ...[link, empty, unknown],
      ],
    },
    {
      type: 'error-text',
      value: 'It broke.\n[The tool also returned an image (image/png, 3 bytes), which cannot be shown here.]',
    },
  ]);
});

it('lets the application describe what the user must do', async () => {
  const agent = await agentThatCalls(['connect'], {
    onUserAction: (needed, tool) => `${needed.kind} for ${tool.name}: see the page.`,
  });
  await agent.run(ASK);
  expect(agent.results()).toEqual([
    { type: 'error-text', value: 'connection_required for notes_connect: see the page.' },
  ]);
});
