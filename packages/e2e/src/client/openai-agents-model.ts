import { type Model, Usage } from '@openai/agents';

/** Returns a model that writes the question down, and then repeats what the tool has said. */
export const scriptedModel = (question: string): Model => ({
  async getResponse({ input }) {
    const last = Array.isArray(input) ? input.at(-1) : undefined;
    const said = last?.type === 'function_call_result' ? JSON.stringify(last.output) : undefined;
    return {
      usage: new Usage(),
      output: [
        said === undefined
          ? {
              type: 'function_call',
              callId: 'call-1',
              name: 'reference_create_note',
              arguments: JSON.stringify({ text: question }),
              status: 'completed',
            }
          : {
              type: 'message',
              role: 'assistant',
              content: [{ type: 'output_text', text: said }],
              status: 'completed',
            },
      ],
    };
  },
  getStreamedResponse: () => {
    throw new Error('This model does not stream.');
  },
});
