import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** Tools that send requests to the client, as servers up to revision 2025-11-25 do. */

const said = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });

const DEFAULTS = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
} as const;

const titled = (...titles: string[]) => titles.map((title, i) => ({ const: `value${i + 1}`, title }));
const options = ['option1', 'option2', 'option3'];
const ENUMS = {
  untitledSingle: { type: 'string', enum: options },
  titledSingle: { type: 'string', oneOf: titled('First Option', 'Second Option', 'Third Option') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string', enum: options } },
  titledMulti: {
    type: 'array',
    minItems: 1,
    maxItems: 3,
    items: { anyOf: titled('First Choice', 'Second Choice', 'Third Choice') },
  },
} as const;

export function registerOldQuestions(server: McpServer): void {
  server.registerTool(
    'test_sampling',
    { description: 'Asks for a completion', inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const { content } = await mcpReq.send({
        method: 'sampling/createMessage',
        params: { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens: 100 },
      });
      return said(`LLM response: ${JSON.stringify(content)}`);
    },
  );
  const forms = {
    test_elicitation: { response: { type: 'string' as const } },
    test_elicitation_sep1034_defaults: DEFAULTS,
    test_elicitation_sep1330_enums: ENUMS,
  };
  for (const [name, properties] of Object.entries(forms))
    server.registerTool(
      name,
      { description: 'Asks the user', inputSchema: z.object({ message: z.string().optional() }) },
      async ({ message = 'Please fill in' }, { mcpReq }) => {
        const { action, content } = await mcpReq.send({
          method: 'elicitation/create',
          params: { message, requestedSchema: { type: 'object', properties: { ...properties } } },
        });
        return said(`User response: action=${action}, content=${JSON.stringify(content ?? {})}`);
      },
    );
}
