import assert from 'node:assert/strict';
import { HumanMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
import { Command, MemorySaver } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { legateTools } from '@legate/client/langchain';
import { called, legate } from './hub.mjs';

const { tools } = await legateTools(legate);
const calls = [{ id: 'one', name: 'notes_create', args: { text: 'hi' } }];
const llm = fakeModel().respondWithTools(calls).respond(new HumanMessage('done'));
const agent = createReactAgent({ llm, tools, checkpointer: new MemorySaver() });
const thread = { configurable: { thread_id: 'one' } };

const paused = await agent.invoke({ messages: [new HumanMessage('Go')] }, thread);
const [interrupt] = paused.__interrupt__;
assert.deepEqual([interrupt.value.actionRequests[0].name, called], ['notes_create', []]);

const { messages } = await agent.invoke(
  new Command({ resume: { decisions: [{ type: 'approve' }] } }),
  thread,
);
assert.deepEqual([messages.at(-1).content, called], ['done', ['create']]);
process.stdout.write('LangGraph: paused for approval, then called once\n');
