import type { Legate } from '@legate/client';
import { legateTools } from '@legate/client/openai-agents';
import { Agent, type Model, Runner } from '@openai/agents';

/** Answers a question as the user. `ask` shows a call to the user, and returns what they decide. */
export async function answer(options: {
  legate: Legate;
  model: Model | string;
  question: string;
  ask: (call: string) => Promise<boolean>;
}): Promise<string> {
  const { tools, describe, failure } = await legateTools(options.legate);
  if (failure) throw new Error(failure.detail);
  if (tools.length === 0) throw new Error('There are no tools: bind a connector to the agent.');
  const agent = new Agent({
    name: 'Assistant',
    instructions: 'Help the user.',
    model: options.model,
    tools,
  });
  const runner = new Runner({ tracingDisabled: true });
  let run = await runner.run(agent, options.question);
  while (run.interruptions.length > 0) {
    for (const item of run.interruptions) {
      const call = describe({ name: item.name ?? '', arguments: item.arguments ?? '{}' });
      if (await options.ask(call)) run.state.approve(item);
      else run.state.reject(item, { message: 'The user refused this call.' });
    }
    run = await runner.run(agent, run.state);
  }
  return run.finalOutput ?? '';
}
