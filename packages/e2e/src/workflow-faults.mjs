// Prints the faults of the workflow on stdin, one a line, by the parser of the code host itself.
import { readFileSync } from 'node:fs';
import { register } from 'node:module';

// The parser is written for bundlers: its imports of JSON lack the attribute that Node.js asks for.
const hook = `export const load = (url, context, next) =>
  next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await import(
  '@actions/workflow-parser'
);

const file = { name: 'workflow.yml', content: readFileSync(0, 'utf8') };
const { context, value } = parseWorkflow(file, new NoOperationTraceWriter());
if (value) await convertWorkflowTemplate(context, value);
for (const { message } of context.errors.getErrors()) process.stdout.write(`${message}\n`);
