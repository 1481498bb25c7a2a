import assert from 'node:assert/strict';
import { legateTools } from '@legate/client/openai-agents';
import { Agent, Runner, Usage } from '@openai/agents';
import { called, legate } from './hub.mjs';

const model = {
  async getResponse({ input }) {
    const isAnswered = Array.isArray(input) && input.some(({ type }) => type === 'function_call_result');
    const answer = {
      ...{ type: 'message', role: 'assistant', status: 'completed' },
      content: [{ type: 'output_text', text: 'done' }],
    };
    const call = {
      ...{ type: 'function_call', callId: 'one', status: 'completed' },
      ...{ name: 'notes_create', arguments: '{"text":"hi"}' },
    };
    return { usage: new Usage(), output: [isAnswered ? answer : call] };
  },
};

const { tools } = await legateTools(legate);
const agent = new Agent({ name: 'test', instructions: '', model, tools });
const runner = new Runner({ tracingDisabled: true });
const paused = await runner.run(agent, 'Go');
const [item] = paused.interruptions;
assert.deepEqual([item?.name, called], ['notes_create', []]);

paused.state.approve(item);
const { finalOutput } = await runner.run(agent, paused.state);
assert.deepEqual([finalOutput, called], ['done', ['create']]);
process.stdout.write('OpenAI Agents: paused for approval, then called once\n');
