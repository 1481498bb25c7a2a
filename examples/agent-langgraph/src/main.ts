import { createInterface } from 'node:readline';
import { HumanMessage } from '@langchain/core/messages';
import { Command } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { createClient } from '@legate/client';
import { type ApprovalRequest, legateTools } from '@legate/client/langchain';
import { FileSaver } from './file-saver.ts';
import { createModel } from './model.ts';
import { signIn } from './sign-in.ts';

const {
  HUB = 'http://localhost:4001',
  ISSUER = 'http://localhost:4002',
  CLIENT_ID = 'frontend-app',
  AGENT,
  CHECKPOINTS = 'checkpoints.json',
} = process.env;

const print = (text: string) => process.stdout.write(`${text}\n`);
const terminal = createInterface({ input: process.stdin });
const lines = terminal[Symbol.asyncIterator]();
async function ask(question: string): Promise<string | undefined> {
  process.stdout.write(`${question} `);
  const { value, done } = await lines.next();
  return done ? undefined : value.trim();
}

const { idToken, refreshToken } = await signIn({ issuer: ISSUER, clientId: CLIENT_ID, show: print }).catch(
  (error: Error) => {
    if (error.message !== 'fetch failed') throw error;
    process.stderr.write(
      `The identity provider at ${ISSUER} (ISSUER) cannot be reached. For development, start the stack: npm start in the clone.\n`,
    );
    process.exit(1);
  },
);
// The hub renews the session, so the agent may run for longer than the ID token is valid.
const legate = createClient({
  hub: HUB,
  idToken: () => idToken,
  ...(AGENT && { agentId: AGENT }),
  openSession: { ...(refreshToken && { refreshToken }), clientId: CLIENT_ID },
});
const { tools, failure } = await legateTools(legate);
if (failure) throw new Error(failure.detail);

const graph = createReactAgent({
  llm: createModel(),
  tools,
  version: 'v2', // one node for each call
  checkpointer: await FileSaver.open(CHECKPOINTS),
});
const config = { configurable: { thread_id: 'conversation' } };

/** The calls that wait for the user: also those of an earlier run of this program. */
async function waiting() {
  const { tasks } = await graph.getState(config);
  return tasks.flatMap(({ interrupts }) => interrupts);
}

/** Asks about each call that waits, until the model has its answer. */
async function settle(): Promise<void> {
  for (let calls = await waiting(); calls.length > 0; calls = await waiting()) {
    const resume: Record<string, unknown> = {};
    for (const { id = '', value } of calls) {
      const [call] = (value as ApprovalRequest).actionRequests; // what the tools of legateTools ask
      const answer = await ask(`${call.description}\nAllow it? (y/n)`);
      if (answer === undefined) return; // asked again at the next start
      resume[id] = { decisions: [{ type: answer === 'y' ? 'approve' : 'reject', id: call.id }] };
    }
    await graph.invoke(new Command({ resume }), config);
  }
  const { values } = await graph.getState(config);
  print(String(values.messages?.at(-1)?.content ?? ''));
}

try {
  if ((await waiting()).length > 0) {
    print('A call of the last time still waits for you.');
    await settle();
  }
  for (let said = await ask('You:'); said; said = await ask('You:')) {
    await graph.invoke({ messages: [new HumanMessage(said)] }, config);
    await settle();
  }
} finally {
  await legate.end(); // ends the session: a user may have only 20
  terminal.close();
}
