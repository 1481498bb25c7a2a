import { type Node, VISITOR_KEYS } from '@babel/types';

/** Visits a syntax tree from its root; where `visit` returns false, it goes no deeper. */
export function walk(
  node: Node,
  visit: (node: Node, parent: Node | undefined) => boolean,
  parent?: Node,
): void {
  if (!visit(node, parent)) return;
  for (const child of childrenOf(node)) walk(child, visit, node);
}

function childrenOf(node: Node): Node[] {
  const fields = new Map<string, unknown>(Object.entries(node));
  return (VISITOR_KEYS[node.type] ?? []).flatMap((key) => fields.get(key)).filter(isNode);
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
