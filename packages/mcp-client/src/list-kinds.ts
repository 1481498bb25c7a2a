import type { McpRequest } from './mcp-request.ts';

/** The lists of a tool server: the method of each, and the member of its result. */
export const LISTS = {
  tools: { method: 'tools/list', member: 'tools' },
  resources: { method: 'resources/list', member: 'resources' },
  resourceTemplates: { method: 'resources/templates/list', member: 'resourceTemplates' },
  prompts: { method: 'prompts/list', member: 'prompts' },
} as const satisfies Record<string, { method: McpRequest['method']; member: string }>;
export type ListKind = keyof typeof LISTS;
