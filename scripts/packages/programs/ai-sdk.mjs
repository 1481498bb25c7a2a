import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { legateTools } from '@legate/client/ai-sdk';
import { generateText, stepCountIs } from 'ai';
import * as testing from 'ai/test';
import { called, legate } from './hub.mjs';

const { version } = createRequire(import.meta.url)('ai/package.json');
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
// Version 7 has the model of its own line; 6 has the one before.
const Model = testing.MockLanguageModelV4 ?? testing.MockLanguageModelV3;
const model = new Model({
  async doGenerate({ prompt }) {
    const isAnswered = prompt.at(-1)?.role === 'tool';
    const call = { type: 'tool-call', toolCallId: 'one', toolName: 'notes_create', input: '{"text":"hi"}' };
    return {
      content: [isAnswered ? { type: 'text', text: 'done' } : call],
      finishReason: { unified: isAnswered ? 'stop' : 'tool-calls', raw: undefined },
      usage,
      warnings: [],
    };
  },
});

const { tools, toolApproval } = await legateTools(legate);
const run = (messages) => generateText({ model, tools, toolApproval, messages, stopWhen: stepCountIs(3) });
const question = { role: 'user', content: 'Go' };
const paused = await run([question]);
const request = paused.content.find(({ type }) => type === 'tool-approval-request');
assert.deepEqual([request?.toolCall.toolName, called], ['notes_create', []]);

const approved = { type: 'tool-approval-response', approvalId: request.approvalId, approved: true };
const done = await run([question, ...paused.response.messages, { role: 'tool', content: [approved] }]);
assert.deepEqual([done.text, called], ['done', ['create']]);
process.stdout.write(`AI SDK ${version}: paused for approval, then called once\n`);
