import { describe, expect, it } from '@jest/globals';
import { HumanMessage, isToolMessage, ToolMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
import { Command, type Interrupt, MemorySaver } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { agentHub, MIXED_TEXTS } from '../testing/agent-hub.ts';
import { type ApprovalRequest, type LangChainOptions, legateTools, type UserActionRequest } from './index.ts';

interface State {
  readonly messages: readonly unknown[];
  readonly __interrupt__?: readonly Interrupt<unknown>[];
}

/** An agent whose model calls these tools once, and ends when it has their results */
async function agentThatCalls(
  names: readonly string[],
  options: LangChainOptions & { hasMemory?: boolean; version?: 'v1' | 'v2'; ids?: string } = {},
) {
  const { hasMemory = true, version = 'v2', ids, ...own } = options;
  const hub = agentHub();
  const { tools } = await legateTools(hub.legate, own);
  const calls = names.map((name) => ({
    id: ids ?? `call-${name}`,
    name: `notes_${name}`,
    args: { text: 'hi' },
  }));
  const llm = fakeModel().respondWithTools(calls).respond(new HumanMessage('done'));
  const agent = createReactAgent({
    llm,
    tools,
    version,
    ...(hasMemory && { checkpointer: new MemorySaver() }),
  });
  const config = { configurable: { thread_id: 'one' } };
  let state: State | undefined;
  return {
    ...hub,
    tools,
    start: async () => {
      state = await agent.invoke({ messages: [new HumanMessage('Go')] }, config);
      return state.__interrupt__ ?? [];
    },
    resume: async (resume: unknown) => {
      state = await agent.invoke(new Command({ resume }), config);
      return state.__interrupt__ ?? [];
    },
    /** Returns the results that the model received. */
    results: () =>
      (state?.messages ?? []).flatMap((message) =>
        isToolMessage(message as never)
          ? [[(message as HumanMessage).content, (message as { status?: string }).status]]
          : [],
      ),
  };
}

describe('a call that needs approval', () => {
  it('runs once, and only after it is approved', async () => {
    const agent = await agentThatCalls(['create']);
    const [paused] = await agent.start();
    const request: ApprovalRequest = {
      actionRequests: [
        {
          name: 'notes_create',
          args: { text: 'hi' },
          description: 'Create a note (notes), acts as alice@acme.example\n{\n  "text": "hi"\n}',
          id: 'call-create',
        },
      ],
      reviewConfigs: [{ actionName: 'notes_create', allowedDecisions: ['approve', 'edit', 'reject'] }],
    };
    expect([paused?.value, agent.called]).toEqual([request, []]);
    await agent.resume({ decisions: [{ type: 'approve' }] });
    expect([agent.called, agent.results()]).toEqual([
      [['create', { text: 'hi' }]],
      [['ran create', 'success']],
    ]);
  });

  it.each<[string, unknown, string]>([
    ['a rejection', { decisions: [{ type: 'reject' }] }, 'The user refused this call.'],
    ['a rejection in words', { decisions: [{ type: 'reject', message: 'Not today.' }] }, 'Not today.'],
    ['no decision', { decisions: [] }, 'The user refused this call.'],
    ['a word', 'yes', 'The user refused this call.'],
    [
      'an edit that names another tool',
      { decisions: [{ type: 'edit', editedAction: { name: 'notes_new', args: {} } }] },
      'The user refused this call.',
    ],
  ])('does not run for %s', async (_case, decision, text) => {
    const agent = await agentThatCalls(['create']);
    await agent.start();
    await agent.resume(decision);
    expect([agent.called, agent.results()]).toEqual([[], [[text, 'error']]]);
  });

  it('runs with the arguments as edited by the user', async () => {
    const agent = await agentThatCalls(['create']);
    await agent.start();
    const editedAction = { name: 'notes_create', args: { text: 'hello' } };
    await agent.resume({ decisions: [{ type: 'edit', editedAction }] });
    expect(agent.called).toEqual([['create', { text: 'hello' }]]);
  });

  it('has its own interrupt among several, while calls that need no approval run once', async () => {
    const agent = await agentThatCalls(['create', 'list', 'new']);
    const paused = await agent.start();
    expect(paused).toHaveLength(2);
    const decisions = paused.map(({ id, value }) => {
      const { name, id: callId } = (value as ApprovalRequest).actionRequests[0];
      return [id, { decisions: [{ id: callId, type: name === 'notes_new' ? 'approve' : 'reject' }] }];
    });
    await agent.resume(Object.fromEntries(decisions));
    expect([agent.called.map(([name]) => name), agent.results()]).toEqual([
      ['list', 'new'],
      [
        ['The user refused this call.', 'error'],
        ['ran list', 'success'],
        ['ran new', 'success'],
      ],
    ]);
  });

  it.each<[string, unknown, string[]]>([
    ['a decision that names no call runs none', [{ type: 'approve' }], []],
    ['a decision runs the call that it names', [{ type: 'approve', id: 'call-create' }], ['create']],
    ['a decision about another call runs none', [{ type: 'approve', id: 'call-other' }], []],
    [
      'each of several decisions is about its call',
      [
        { type: 'reject', id: 'call-create' },
        { type: 'approve', id: 'call-new' },
      ],
      ['new'],
    ],
    ['decisions that name no calls run none', [{ type: 'approve' }, { type: 'approve' }], []],
  ])('waits with another call, and when both get the same answer, %s', async (_what, decisions, ran) => {
    const agent = await agentThatCalls(['create', 'new']);
    expect(await agent.start()).toHaveLength(2);
    await agent.resume({ decisions });
    expect(agent.called.map(([name]) => name)).toEqual(ran);
  });

  it('does not wait if another call has the same id', async () => {
    const agent = await agentThatCalls(['create', 'new'], { ids: 'the same' });
    expect([await agent.start(), agent.called]).toEqual([[], []]);
  });

  it('explains what to do about a decision without a call id', async () => {
    const agent = await agentThatCalls(['create', 'list']);
    await agent.start();
    await agent.resume({ decisions: [{ type: 'approve' }] });
    expect(agent.results()[0]).toEqual([
      'The user must approve this call first. Call this tool again, and no other tool at the same time.',
      'error',
    ]);
  });

  it('is accepted only as the single call in a node that would repeat the other calls', async () => {
    const agent = await agentThatCalls(['list', 'create', 'new'], { version: 'v1' });
    expect(await agent.start()).toEqual([]);
    const alone =
      'The user must approve this call first. Call this tool again, and no other tool at the same time.';
    expect([agent.called.map(([name]) => name), agent.results()]).toEqual([
      ['list'],
      [
        ['ran list', 'success'],
        [alone, 'error'],
        [alone, 'error'],
      ],
    ]);
    const single = await agentThatCalls(['create'], { version: 'v1' });
    await single.start();
    await single.resume({ decisions: [{ type: 'approve' }] });
    expect(single.called).toEqual([['create', { text: 'hi' }]]);
  });

  it('does not run without a checkpointer, or without a graph', async () => {
    const agent = await agentThatCalls(['create'], { hasMemory: false });
    await agent.start().catch(() => undefined); // the framework decides whether it throws
    const tool = agent.tools.find(({ name }) => name === 'notes_create');
    await expect(tool?.invoke({ text: 'hi' })).rejects.toThrow();
    expect(agent.called).toEqual([]);
  });
});

it('returns what happened to the model, as a message', async () => {
  const agent = await agentThatCalls(['list', 'fail', 'draw', 'connect']);
  await agent.start();
  expect(agent.results()).toEqual([
    ['ran list', 'success'],
    ['The policy does not allow it.', 'error'],
    [[{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }], 'success'],
    [expect.stringContaining('https://hub.example/connect/con_1'), 'error'],
  ]);
});

it('passes each block of a result to the model in its own form', async () => {
  const agent = await agentThatCalls(['mix', 'break']);
  await agent.start();
  const [structured, first, note, link, empty, unknown] = MIXED_TEXTS.map((text) => ({ type: 'text', text }));
  const [[mixed] = [], [broken, status] = []] = agent.results();
  expect(mixed).toEqual([
    ...[structured, first],
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    { type: 'audio', source_type: 'base64', mime_type: 'audio/wav', data: 'BBBBBBBB' },
    note,
    {
      ...{ type: 'file', source_type: 'base64', mime_type: 'application/pdf', data: 'CCCC' },
      metadata: { filename: 'b.pdf' },
    },
    {
      ...{ type: 'audio', source_type: 'base64', mime_type: 'audio/mpeg', data: 'DDDD' },
      metadata: { filename: 'voice' },
    },
    ...[link, empty, unknown],
  ]);
  expect([broken, status]).toEqual([
    [
      { type: 'text', text: 'It broke.' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ],
    'error',
  ]);
  // LangChain recognizes the blocks by their types.
  const message = new ToolMessage({ content: mixed as ToolMessage['content'], tool_call_id: 'call' });
  expect(message.contentBlocks.map(({ type }) => type)).toEqual([
    ...['text', 'text', 'image', 'audio', 'text', 'file', 'audio', 'text', 'text', 'text'],
  ]);
});

it('returns the content to a program that invokes a tool', async () => {
  const agent = await agentThatCalls([]);
  const tool = agent.tools.find(({ name }) => name === 'notes_list');
  expect(await tool?.invoke({ text: 'hi' })).toBe('ran list');
});

describe('an account that the user must connect', () => {
  const REQUEST: UserActionRequest = {
    type: 'connection_required',
    tool: 'notes_connect',
    connectorId: 'con_1',
    connectorName: 'Notes',
    authorizeUrl: 'https://hub.example/oauth/connect/con_1?ticket=t',
  };

  it('interrupts the graph if the application requests it, and the tool is called again', async () => {
    const agent = await agentThatCalls(['connect'], { onUserAction: () => 'interrupt' });
    expect((await agent.start()).map(({ value }) => value)).toEqual([REQUEST]);
    agent.connected.is = true;
    await agent.resume('connected');
    expect([agent.called.length, agent.results()]).toEqual([2, [['{"ok":true}', 'success']]]);
  });

  it('is reported to the model if it is still not connected when the graph resumes', async () => {
    const agent = await agentThatCalls(['connect'], { onUserAction: () => 'interrupt' });
    await agent.start();
    await agent.resume('no');
    expect(agent.results()).toEqual([[expect.stringContaining('must first connect'), 'error']]);
  });
});
