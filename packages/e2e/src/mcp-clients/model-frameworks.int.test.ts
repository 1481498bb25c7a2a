import { createMCPClient } from '@ai-sdk/mcp';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, HumanMessage, isToolMessage } from '@langchain/core/messages';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { ROOT, scene, signIn } from '@legate/dev';
import { needs } from '@legate/testing';
import { Agent, MCPServerStreamableHttp, type Model, Runner, Usage } from '@openai/agents-core';
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { type StackUnderTest, startStackUnderTest } from '../stack-under-test.ts';

const { describe, it } = needs('time');

/**
 * Tests agent frameworks, each with its own MCP client and a scripted model without a network: it calls the tool
 * `whoami`, and replies with its result.
 */

let stack: StackUnderTest;
let url: string;
let headers: { Authorization: string };
beforeAll(async () => {
  stack = await startStackUnderTest({
    services: ['mock-idp', 'reference-mcp-server', 'tool-hub'],
    env: {
      'tool-hub': { CONNECTORS_FILE: `${ROOT}infra/development/connectors.json`, MANAGEMENT_API_URL: '' },
    },
  });
  url = `${stack.urls['tool-hub']}/mcp`;
  const { idToken } = await signIn({ issuer: stack.urls['mock-idp'], email: scene.USERS.alice.email });
  headers = { Authorization: `Bearer ${idToken}` };
});
afterAll(() => stack?.stop());

const WHOAMI = scene.toolAtMcp('whoami');
/** Tool names that the APIs of models accept; hosts put `mcp__{server}__` in front. */
const PATTERNS = {
  OpenAI: /^[a-zA-Z0-9_-]{1,64}$/,
  Anthropic: /^[a-zA-Z0-9_-]{1,128}$/,
  Gemini: /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/,
};

function expectAccepted(names: readonly string[]): void {
  expect(names).toContain(WHOAMI);
  for (const [api, pattern] of Object.entries(PATTERNS))
    for (const name of names)
      expect([api, name, pattern.test(name), pattern.test(`mcp__legate__${name}`)]).toEqual([
        api,
        name,
        true,
        true,
      ]);
}

describe("Vercel's AI SDK", () => {
  it('lists tools that every model API takes, and calls one as the user', async () => {
    const client = await createMCPClient({ transport: { type: 'http', url, headers } });
    let offered: string[] = [];
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    };
    const model = new MockLanguageModelV3({
      async doGenerate({ tools, prompt }) {
        offered = tools?.map(({ name }) => name) ?? [];
        const last = prompt.at(-1);
        return last?.role === 'tool'
          ? {
              content: [{ type: 'text', text: JSON.stringify(last.content) }],
              finishReason: { unified: 'stop', raw: 'stop' },
              usage,
              warnings: [],
            }
          : {
              content: [{ type: 'tool-call', toolCallId: 'call-1', toolName: WHOAMI, input: '{}' }],
              finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
              usage,
              warnings: [],
            };
      },
    });
    const { text } = await generateText({
      model,
      tools: await client.tools(),
      stopWhen: stepCountIs(3),
      prompt: 'Who am I?',
    });
    await client.close();
    expectAccepted(offered);
    expect(text).toContain(scene.USERS.alice.id);
  });
});

/** A chat model of LangChain that is told which tools there are */
class PlayedChatModel extends BaseChatModel {
  offered: string[] = [];

  override _llmType(): string {
    return 'played';
  }
  override bindTools(tools: { name?: string }[]): this {
    this.offered = tools.map(({ name }) => String(name));
    return this;
  }
  override async _generate(messages: BaseMessage[]) {
    const last = messages.at(-1);
    const message =
      last && isToolMessage(last)
        ? new AIMessage(JSON.stringify(last.content))
        : new AIMessage({ content: '', tool_calls: [{ id: 'call-1', name: WHOAMI, args: {} }] });
    return { generations: [{ text: '', message }] };
  }
}

describe('LangGraph', () => {
  it('lists tools that every model API takes, and calls one as the user', async () => {
    const client = new MultiServerMCPClient({ mcpServers: { legate: { transport: 'http', url, headers } } });
    const model = new PlayedChatModel({});
    const agent = createReactAgent({ llm: model, tools: await client.getTools() });
    const { messages } = await agent.invoke({ messages: [new HumanMessage('Who am I?')] });
    await client.close();
    expectAccepted(model.offered);
    expect(JSON.stringify(messages.at(-1)?.content)).toContain(scene.USERS.alice.id);
  });
});

describe("OpenAI's Agents SDK", () => {
  it('lists tools that every model API takes, and calls one as the user', async () => {
    const server = new MCPServerStreamableHttp({ url, name: 'legate', requestInit: { headers } });
    await server.connect();
    let offered: string[] = [];
    const model: Model = {
      async getResponse({ input, tools }) {
        offered = tools.map((tool) => ('name' in tool ? tool.name : ''));
        const result = Array.isArray(input)
          ? input.find((item) => 'type' in item && item.type === 'function_call_result')
          : undefined;
        return {
          usage: new Usage(),
          output: [
            result
              ? {
                  type: 'message',
                  role: 'assistant',
                  status: 'completed',
                  content: [{ type: 'output_text', text: JSON.stringify(result) }],
                }
              : {
                  type: 'function_call',
                  callId: 'call-1',
                  name: WHOAMI,
                  arguments: '{}',
                  status: 'completed',
                },
          ],
        };
      },
      // biome-ignore lint/correctness/useYield: the interface has it, and nothing here streams
      async *getStreamedResponse() {
        throw new Error('not asked for');
      },
    };
    const agent = new Agent({ name: 'test', instructions: '', model, mcpServers: [server] });
    const { finalOutput } = await new Runner({ tracingDisabled: true }).run(agent, 'Who am I?');
    await server.close();
    expectAccepted(offered);
    expect(finalOutput).toContain(scene.USERS.alice.id);
  });
});
