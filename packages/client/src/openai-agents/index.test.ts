import { describe, expect, it } from '@jest/globals';
import { Agent, type Model, type ModelRequest, Runner, Usage } from '@openai/agents';
import { agentHub, MIXED_TEXTS } from '../testing/agent-hub.ts';
import { legateTools, type ToolsOptions } from './index.ts';

/** Runs an agent whose model calls these tools, and ends when it has their results. */
async function agentThatCalls(names: readonly string[], options: ToolsOptions = {}) {
  const hub = agentHub();
  const own = await legateTools(hub.legate, options);
  let last: ModelRequest | undefined;
  const model: Model = {
    async getResponse(request) {
      last = request;
      const isAnswered = resultsOf(request).length > 0;
      return {
        usage: new Usage(),
        output: isAnswered
          ? [
              {
                ...{ type: 'message', role: 'assistant', status: 'completed' },
                content: [{ type: 'output_text', text: 'done' }],
              },
            ]
          : names.map((name) => ({
              ...{ type: 'function_call', callId: `call-${name}`, status: 'completed' },
              ...{ name: `notes_${name}`, arguments: '{"text":"hi"}' },
            })),
      };
    },
    // biome-ignore lint/correctness/useYield: the interface requires a generator, and this model does not stream
    async *getStreamedResponse() {
      throw new Error('not asked for');
    },
  };
  const agent = new Agent({ name: 'test', instructions: '', model, tools: own.tools });
  const runner = new Runner({ tracingDisabled: true });
  const start = () => runner.run(agent, 'Go');
  return {
    ...hub,
    ...own,
    start,
    resume: (state: Awaited<ReturnType<typeof start>>['state']) => runner.run(agent, state),
    offered: () => last?.tools ?? [],
    results: () => resultsOf(last),
  };
}

/** Returns the results that the model received. */
const resultsOf = (request: ModelRequest | undefined): unknown[] =>
  Array.isArray(request?.input)
    ? request.input.flatMap((item) => (item.type === 'function_call_result' ? [item.output] : []))
    : [];
const text = (value: string) => ({ type: 'text', text: value });

describe('a call that needs approval', () => {
  it('runs once, and only after it is approved', async () => {
    const agent = await agentThatCalls(['create']);
    const paused = await agent.start();
    const [item] = paused.interruptions;
    if (!item) throw new Error('nobody is asked');
    expect([item.name, agent.called]).toEqual(['notes_create', []]);
    expect(agent.describe({ name: 'notes_create', arguments: item.arguments ?? '' })).toBe(
      'Create a note (notes), acts as alice@acme.example\n{\n  "text": "hi"\n}',
    );
    paused.state.approve(item);
    const { finalOutput } = await agent.resume(paused.state);
    expect([finalOutput, agent.called, agent.results()]).toEqual([
      'done',
      [['create', { text: 'hi' }]],
      [text('ran create')],
    ]);
  });

  it('does not run when it is refused, while another approved call runs', async () => {
    const agent = await agentThatCalls(['create', 'new']);
    const paused = await agent.start();
    for (const item of paused.interruptions) {
      if (item.name === 'notes_new') paused.state.approve(item);
      else paused.state.reject(item, { message: 'The user refused this call.' });
    }
    await agent.resume(paused.state);
    expect(agent.called.map(([name]) => name)).toEqual(['new']);
    expect(JSON.stringify(agent.results())).toContain('The user refused this call.');
  });
});

it('offers the tools with their own schemas', async () => {
  const agent = await agentThatCalls(['list']);
  await agent.start();
  expect(agent.offered()[0]).toMatchObject({
    name: 'notes_create',
    description: 'The tool create',
    strict: false,
    parameters: {
      type: 'object',
      properties: { text: { type: 'string' } },
      required: [],
      additionalProperties: false,
    },
  });
});

it('returns what happened to the model, as a result', async () => {
  const agent = await agentThatCalls(['list', 'fail', 'draw', 'connect']);
  await agent.start();
  expect(agent.results()).toEqual([
    text('ran list'),
    text('The policy does not allow it.'),
    [expect.objectContaining({ type: 'input_image' })],
    text(expect.stringContaining('https://hub.example/connect/con_1') as unknown as string),
  ]);
});

it('passes each block of a result to the model in its own form, or describes it as text', async () => {
  const agent = await agentThatCalls(['mix', 'break']);
  await agent.start();
  const part = (value: string) => ({ type: 'input_text', text: value });
  const [structured, first, note, link, empty, unknown] = MIXED_TEXTS.map(part);
  const cannotBeShown = (what: string) =>
    part(`[The tool also returned ${what} bytes), which cannot be shown here.]`);
  expect(agent.results()).toEqual([
    [
      ...[structured, first],
      { type: 'input_image', image: 'data:image/png;base64,AAAA' },
      ...[cannotBeShown('audio (audio/wav, 6'), note],
      { type: 'input_file', file: 'data:application/pdf;base64,CCCC', filename: 'b.pdf' },
      ...[cannotBeShown('audio "voice" (audio/mpeg, 3'), link, empty, unknown],
    ],
    [part('It broke.'), { type: 'input_image', image: 'data:image/png;base64,AAAA' }],
  ]);
});

it('lets the application describe what the user must do', async () => {
  const agent = await agentThatCalls(['connect'], { onUserAction: ({ kind }) => `${kind}: see the page.` });
  await agent.start();
  expect(agent.results()).toEqual([text('connection_required: see the page.')]);
});
