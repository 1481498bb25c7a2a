import type { Approval } from '@legate/management-contract';

/** What a host is told of one tool. */
export type ToolApproval = 'required' | 'not-required';

/** In `_meta` of a tool. The host asks: the hub sees calls, and no human being. */
export const APPROVAL_KEY = 'legate/approval';

/**
 * @param tool as its tool server describes it. `write` believes what that says of itself, as MCP has it of annotations
 * ("clients MUST consider tool annotations to be untrusted unless they come from trusted servers"); silence is no promise.
 * @returns undefined where no agent is named: nobody has decided anything then
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

/** Whether a tool says of itself that it changes nothing (MCP, `readOnlyHint`). */
export function saysReadOnly({ annotations }: Readonly<Record<string, unknown>>): boolean {
  return (
    typeof annotations === 'object' &&
    annotations !== null &&
    'readOnlyHint' in annotations &&
    annotations.readOnlyHint === true
  );
}
