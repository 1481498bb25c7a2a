import type { Tool } from '../api/types.ts';

/** A claim of the tool server: it only decides whether the console asks for confirmation. */
export function saysReadOnly(tool: Tool): boolean {
  const hints: unknown = tool.annotations;
  return (
    typeof hints === 'object' && hints !== null && 'readOnlyHint' in hints && hints.readOnlyHint === true
  );
}
