import { Problem, type ProblemOptions } from '@legate/service';
import type { Decided } from '../domain/decision.ts';
import { type HubProblemCode, PROBLEMS } from '../domain/problem-codes.ts';
import { RpcError } from './rpc-error.ts';

/**
 * A problem that ends a call, with the part that decided: the decision is for the audit trail, the problem is the
 * response. Created only in this folder.
 */
export class CallRefused extends Problem {
  constructor(
    readonly decided: Decided,
    code: HubProblemCode,
    options?: ProblemOptions,
  ) {
    super(code, PROBLEMS[code], options);
  }
}

/**
 * Returns the decision behind an error. An error whose cause is a refusal counts as that refusal; any other error is
 * the caller's fault if its status indicates it, and otherwise the hub's.
 */
export function decidedBy(err: unknown): Decided {
  for (let link = err; link instanceof Error; link = link.cause) {
    if (link instanceof CallRefused) return link.decided;
    if (link instanceof Problem) return problemDecided(link);
    if (link instanceof RpcError && link.cause === undefined && link.status < 500)
      return { leg: 'caller', rule: 'request_invalid', reason: `error ${link.code}` };
  }
  return { leg: 'hub', rule: 'internal_error' };
}

const problemDecided = ({ status, code }: Problem): Decided =>
  status < 500
    ? { leg: 'caller', rule: 'request_invalid', reason: code }
    : { leg: 'hub', rule: 'internal_error', reason: code };
