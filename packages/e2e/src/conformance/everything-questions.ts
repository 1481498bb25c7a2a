import { randomBytes, randomUUID } from 'node:crypto';
import {
  acceptedContent,
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** Tools and a prompt that first return a question, as servers of revision 2026-07-28 do (`input_required`). */

const NOTHING = z.object({});
const said = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });

type Properties = Record<string, { type: 'string' } | { type: 'boolean' }>;
const form = (message: string, properties: Properties) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties, required: Object.keys(properties) },
  });
const completion = (words: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: words } }],
    maxTokens: 50,
  });
const askName = () => form('What is your name?', { name: { type: 'string' } });
const askConfirmation = () => form('Please confirm', { ok: { type: 'boolean' } });

/** Seals the state of a question; a request with a forged state is refused before a tool gets it. */
export const stateCodec = createRequestStateCodec<Record<string, unknown>>({ key: randomBytes(32) });
const state = (what: Record<string, unknown>) => stateCodec.mint({ ...what, nonce: randomUUID() });

type Answers = ServerContext['mcpReq']['inputResponses'];
const answerOf = <T>(answers: Answers, key: string) => answers?.[key] as T | undefined;
const nameIn = (answers: Answers, key: string) => acceptedContent<{ name: string }>(answers, key)?.name;

export function registerQuestions(server: McpServer): void {
  registerSingleQuestions(server);
  registerQuestionsWithState(server);
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Asks for its context first', argsSchema: NOTHING },
    (_args, { mcpReq }) => {
      const known = acceptedContent<{ context: string }>(mcpReq.inputResponses, 'user_context')?.context;
      if (known === undefined)
        return inputRequired({
          inputRequests: { user_context: form('Which context?', { context: { type: 'string' } }) },
        });
      return { messages: [{ role: 'user', content: { type: 'text', text: `Context: ${known}` } }] };
    },
  );
}

function registerSingleQuestions(server: McpServer): void {
  const tool = (
    name: string,
    inputRequests: () => InputRequests,
    answer: (given: Answers) => string | undefined,
  ) =>
    server.registerTool(name, { description: 'Asks first', inputSchema: NOTHING }, (_args, { mcpReq }) => {
      const words = answer(mcpReq.inputResponses);
      return words === undefined ? inputRequired({ inputRequests: inputRequests() }) : said(words);
    });

  tool(
    'test_input_required_result_elicitation',
    () => ({ user_name: askName() }),
    (given) => {
      const name = nameIn(given, 'user_name');
      return typeof name === 'string' ? `Hello, ${name}!` : undefined;
    },
  );
  tool(
    'test_input_required_result_sampling',
    () => ({ capital: completion('What is the capital of France?') }),
    (given) => answerOf<{ content?: { text?: string } }>(given, 'capital')?.content?.text,
  );
  tool(
    'test_missing_capability',
    () => ({ pong: completion('Say pong') }),
    (given) => given && 'pong',
  );
  tool(
    'test_input_required_result_list_roots',
    () => ({ client_roots: inputRequired.listRoots() }),
    (given) => {
      const roots = answerOf<{ roots?: unknown[] }>(given, 'client_roots')?.roots;
      return roots && `Found ${roots.length} root(s)`;
    },
  );

  server.registerTool(
    'test_input_required_result_capabilities',
    { description: 'Asks what the client can answer', inputSchema: NOTHING },
    (_args, { mcpReq }) => {
      if (mcpReq.inputResponses) return said('answered');
      const declared = server.server.getClientCapabilities();
      const inputRequests: InputRequests = {};
      if (declared?.elicitation) inputRequests.user_name = askName();
      if (declared?.sampling) inputRequests.greeting = completion('Generate a greeting');
      if (declared?.roots) inputRequests.client_roots = inputRequired.listRoots();
      return Object.keys(inputRequests).length === 0 ? said('no question') : inputRequired({ inputRequests });
    },
  );
}

function registerQuestionsWithState(server: McpServer): void {
  for (const [name, words] of [
    ['test_input_required_result_request_state', 'state-ok'],
    ['test_input_required_result_tampered_state', 'integrity-ok'],
  ] as const)
    server.registerTool(
      name,
      { description: 'Remembers its question', inputSchema: NOTHING },
      async (_args, { mcpReq }) => {
        if (mcpReq.requestState() !== undefined && acceptedContent(mcpReq.inputResponses, 'confirm'))
          return said(words);
        return inputRequired({
          inputRequests: { confirm: askConfirmation() },
          requestState: await state({ name }),
        });
      },
    );

  server.registerTool(
    'test_input_required_result_multiple_inputs',
    { description: 'Asks three questions at once', inputSchema: NOTHING },
    async (_args, { mcpReq: { inputResponses } }) => {
      const name = nameIn(inputResponses, 'user_name');
      const greeting = answerOf<{ content?: { text?: string } }>(inputResponses, 'greeting')?.content?.text;
      const roots = answerOf<{ roots?: unknown[] }>(inputResponses, 'client_roots')?.roots;
      if (name && greeting && roots) return said(`${greeting} ${name}, ${roots.length} root(s)`);
      return inputRequired({
        inputRequests: {
          user_name: askName(),
          greeting: completion('Generate a greeting'),
          client_roots: inputRequired.listRoots(),
        },
        requestState: await state({}),
      });
    },
  );

  server.registerTool(
    'test_input_required_result_multi_round',
    { description: 'Asks two questions, one after the other', inputSchema: NOTHING },
    async (_args, { mcpReq }) => {
      const known = mcpReq.requestState<{ round: number; name?: string }>();
      if (!known)
        return inputRequired({
          inputRequests: { step1: askName() },
          requestState: await state({ round: 1 }),
        });
      if (known.round === 1)
        return inputRequired({
          inputRequests: { step2: form('Which colour?', { color: { type: 'string' } }) },
          requestState: await state({ round: 2, name: nameIn(mcpReq.inputResponses, 'step1') }),
        });
      const colour = acceptedContent<{ color: string }>(mcpReq.inputResponses, 'step2')?.color;
      return said(`${known.name} likes ${colour}`);
    },
  );
}
