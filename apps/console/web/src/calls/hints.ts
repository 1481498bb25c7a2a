import type { Tool } from '../api/types.ts';

/** Hints are claims of the tool server: they only decide whether the console asks for confirmation. */
export function saysReadOnly(tool: Tool): boolean {
  const hints: unknown = tool.annotations;
  return (
    typeof hints === 'object' && hints !== null && 'readOnlyHint' in hints && hints.readOnlyHint === true
  );
}
