import type { Legate, LegateTool, Outcome } from '@legate/client';

/** Calls a tool if it needs no approval, or the user approves. Returns undefined if they refuse. */
export async function callIfApproved(
  legate: Legate,
  name: string,
  args: Readonly<Record<string, unknown>>,
  ask: (tool: LegateTool, args: Readonly<Record<string, unknown>>) => Promise<boolean>,
): Promise<Outcome | undefined> {
  const { tools, failure } = await legate.tools();
  if (failure) return failure;
  const tool = tools.find((listed) => listed.name === name);
  if (tool && tool.approval !== 'not-required' && !(await ask(tool, args))) return undefined;
  return legate.call(name, args);
}
