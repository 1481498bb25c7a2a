import { createClient } from '@legate/client';
import { legateTools } from '@legate/client/ai-sdk';
import { generateText, type LanguageModel, type ModelMessage, stepCountIs } from 'ai';

/** Answers a question as the user. `ask` shows a call to the user, and returns what they decide. */
export async function answer(options: {
  hub: string;
  idToken: () => Promise<string>;
  model: LanguageModel;
  question: string;
  ask: (call: string) => Promise<boolean>;
}): Promise<string> {
  const legate = createClient({ hub: options.hub, idToken: options.idToken });
  const { tools, describe, failure } = await legateTools(legate);
  if (failure) throw new Error(failure.detail);
  const messages: ModelMessage[] = [{ role: 'user', content: options.question }];
  for (;;) {
    const { content, response, text } = await generateText({
      model: options.model,
      tools,
      messages,
      stopWhen: stepCountIs(10),
    });
    messages.push(...response.messages);
    const asked = content.filter((part) => part.type === 'tool-approval-request');
    if (asked.length === 0) return text;
    const decided = asked.map(async ({ approvalId, toolCall }) => ({
      type: 'tool-approval-response' as const,
      approvalId,
      approved: await options.ask(describe(toolCall)),
      reason: 'The user refused this call.', // read only if it is
    }));
    messages.push({ role: 'tool', content: await Promise.all(decided) });
  }
}
