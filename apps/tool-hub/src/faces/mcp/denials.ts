import { Problem } from '@legate/service';
import {
  type AuthorizationDenial,
  authorizationDenial,
  type DeniedRequest,
} from '../../refusals/authorization-denial.ts';
import { RpcError } from '../../refusals/rpc-error.ts';
import type { AgentRequest } from './agent-request.ts';
import type { AgentTask } from './agent-task.ts';

const KEY = 'legate/authorization';
/** Key and extension name of the draft (SEP-2643) */
const DRAFT_KEY = 'io.modelcontextprotocol/authorization';
const DRAFT_EXTENSION = 'io.modelcontextprotocol/structured-authorization-denials';

export const deniedRequest = ({ caller, call }: AgentTask, publicUrl: string): DeniedRequest => ({
  publicUrl,
  callId: call?.id,
  agentId: caller.origin?.agentId,
});

/** Returns the members of `_meta` for a denied tool call; none if it was not denied. */
export function denialMeta(
  problem: Problem,
  denied: DeniedRequest,
  { agent }: AgentRequest,
): Readonly<Record<string, AuthorizationDenial>> {
  const denial = authorizationDenial(problem, denied);
  if (!denial) return {};
  const isDeclared = agent.extensions?.members.has(DRAFT_EXTENSION);
  return { [KEY]: denial, ...(isDeclared && { [DRAFT_KEY]: denial }) };
}

/** Adds the denial to the data of an error, if the problem that caused the error is a denial. */
export function withDenial(err: RpcError, denied: DeniedRequest): RpcError {
  const authorization = err.cause instanceof Problem ? authorizationDenial(err.cause, denied) : undefined;
  if (!authorization) return err;
  const { code, message, status, data, cause } = err;
  return new RpcError(code, message, { status, data: { ...data, authorization }, cause });
}
