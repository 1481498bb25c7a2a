import type { Approval } from '@legate/management-contract';

/** Need for the user's approval of a tool call, as sent to a host. */
export type ToolApproval = 'required' | 'not-required';

/** Key in `_meta` of a tool. The host asks the user; the hub cannot verify an approval. */
export const APPROVAL_KEY = 'legate/approval';

/**
 * @param tool the tool's description by its tool server. `write` relies on the tool's own annotations, which MCP calls
 * untrusted ("clients MUST consider tool annotations to be untrusted unless they come from trusted servers"); a missing
 * annotation counts as not read-only.
 * @returns undefined without an agent, because there is no binding
 */
export function approvalOf(
  { binding }: { readonly binding?: { readonly approval?: Approval | undefined } | undefined },
  tool: { readonly isReadOnly: boolean },
): ToolApproval | undefined {
  switch (binding?.approval) {
    case 'always':
      return 'required';
    case 'write':
      return tool.isReadOnly ? 'not-required' : 'required';
    case 'never':
      return 'not-required';
    case undefined:
      return undefined;
  }
}

/** Returns true if a tool declares itself read-only (MCP, `readOnlyHint`). */
export function saysReadOnly({ annotations }: Readonly<Record<string, unknown>>): boolean {
  return (
    typeof annotations === 'object' &&
    annotations !== null &&
    'readOnlyHint' in annotations &&
    annotations.readOnlyHint === true
  );
}
