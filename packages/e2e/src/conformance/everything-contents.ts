import { fromJsonSchema, type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** The tools, resources and prompts that return a result at once. The suite expects these names, URIs and texts. */

const NOTHING = z.object({});
/** An image of one pixel, and a sound without samples. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const text = (words: string) => ({ type: 'text' as const, text: words });
const image = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' };
const embedded = (uri: string, mimeType: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
});

/** Uses keywords of JSON Schema 2020-12 that a conversion by another schema library would lose. */
const ADDRESS_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const;

/** An argument that is repeated in a header, for load balancers. */
const REGION_SCHEMA = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, level: { type: 'integer' } },
};

export function registerTools(server: McpServer): void {
  const answers = {
    test_simple_text: [text('This is a simple text response for testing.')],
    test_image_content: [image],
    test_audio_content: [{ type: 'audio' as const, data: SILENCE, mimeType: 'audio/wav' }],
    test_embedded_resource: [
      embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ],
    test_multiple_content_types: [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
    test_streaming_elicitation: [text('nothing was asked')],
  };
  for (const [name, content] of Object.entries(answers))
    server.registerTool(name, { description: `Answers with ${content[0]?.type}` }, () => ({ content }));

  server.registerTool('test_error_handling', { description: 'Fails' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Has a rich schema', inputSchema: fromJsonSchema(ADDRESS_SCHEMA) },
    () => ({ content: [text('called')] }),
  );
  server.registerTool(
    'test_x_mcp_header',
    {
      description: 'Has an argument that is repeated in a header',
      inputSchema: fromJsonSchema<{ region?: string; level?: number }>(REGION_SCHEMA),
    },
    ({ region }) => ({ content: [text(`region=${region ?? 'none'}`)] }),
  );
  registerTalkingTools(server);
}

/** Tools that send something before their result. */
function registerTalkingTools(server: McpServer): void {
  server.registerTool(
    'test_tool_with_logging',
    { description: 'Logs three lines', inputSchema: NOTHING },
    async (_args, { mcpReq }) => {
      for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
        await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
      return { content: [text('logged')] };
    },
  );
  server.registerTool(
    'test_logging_tool',
    { description: 'Logs where the request asks for it', inputSchema: NOTHING },
    async (_args, { mcpReq }) => {
      await mcpReq.log('info', 'the request asked for it');
      return { content: [text('logged where the request asks for it')] };
    },
  );
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Reports progress', inputSchema: NOTHING },
    async (_args, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      if (progressToken !== undefined)
        for (const progress of [0, 50, 100])
          await mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 100, message: `${progress} of 100` },
          });
      return { content: [text(String(progressToken ?? 'nobody asked for progress'))] };
    },
  );
}

export function registerResources(server: McpServer): void {
  const kept = {
    'test://static-text': {
      mimeType: 'text/plain',
      text: 'This is the content of the static text resource.',
    },
    'test://static-binary': { mimeType: 'image/png', blob: PIXEL },
    'test://watched-resource': { mimeType: 'text/plain', text: 'Watched resource content' },
  };
  for (const [uri, content] of Object.entries(kept)) {
    const about = { description: `A resource of type ${content.mimeType}`, mimeType: content.mimeType };
    server.registerResource(uri.slice('test://'.length), uri, about, () => ({
      contents: [{ uri, ...content }],
    }));
  }
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'Data by id', mimeType: 'application/json' },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  );
}

export function registerPrompts(server: McpServer): void {
  const user = <T>(content: T) => ({ role: 'user' as const, content });
  server.registerPrompt('test_simple_prompt', { description: 'No arguments' }, () => ({
    messages: [user(text('This is a simple prompt for testing.'))],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Two arguments', argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    ({ arg1, arg2 }) => ({
      messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Embeds a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        user(embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
        user(text('Please process the embedded resource above.')),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'An image' }, () => ({
    messages: [user(image), user(text('Please analyze the image above.'))],
  }));
}
