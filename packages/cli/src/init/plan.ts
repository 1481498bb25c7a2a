/** What `legate init` can write. */
export const KINDS = ['tool-server', 'agent'] as const;
export type Kind = (typeof KINDS)[number];

export const FRAMEWORKS = ['express', 'fastify', 'hono'] as const;
export type Framework = (typeof FRAMEWORKS)[number];

/** The answers to the questions. `issuer` and `hub` are URLs. */
export type Plan =
  | { readonly kind: 'tool-server'; readonly framework: Framework; readonly issuer: string }
  | { readonly kind: 'agent'; readonly hub: string; readonly issuer: string };

/** Name of the example that the project is made from */
export const templateOf = (plan: Plan): string =>
  plan.kind === 'agent' ? 'agent-langgraph' : `tool-server-${plan.framework}`;

/** Our package that the project needs */
export const packageOf = ({ kind }: Plan): string =>
  kind === 'agent' ? '@legate/client' : '@legate/tool-server';
