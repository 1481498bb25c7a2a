import type { Problem } from '@legate/service';
import { remedyOf, rowOf } from '../domain/decision.ts';
import { CallRefused } from './call-refused.ts';

/**
 * Explains to a model what happened, who can help, and whether to retry. Without this explanation a model would retry,
 * or try to circumvent a denial.
 */
export function textForModel(problem: Problem): string {
  const { detail, title, headers } = problem;
  const retryAfter = headers['Retry-After'];
  if (!(problem instanceof CallRefused)) return detail ?? title;
  const { summary, outcome } = rowOf(problem.decided);
  const { connector_id: connectorId } = problem.extensions;
  const { remedy, doctor } = remedyOf(
    problem.decided,
    typeof connectorId === 'string' ? connectorId : undefined,
  );
  const { reason } = problem.decided;
  const examine =
    doctor === undefined
      ? ''
      : ` An administrator can examine the connector: legate doctor --connector ${connectorId}.`;
  switch (outcome) {
    case 'granted':
    case 'tool_error': // the model wrote the arguments, so it needs the tool's message
      return detail ?? title;
    case 'misconfigured':
    case 'unsupported':
      return `${reason === undefined ? summary : `${summary.slice(0, -1)}: ${reason}.`} ${remedy}${examine} ${NEVER}`;
    case 'expired':
      return `${summary} ${remedy} Do not try again before that.`;
    case 'denied':
    case 'unavailable':
      return `${summary} ${remedy}${examine} ${retryAfter === undefined ? NEVER : `Wait ${retryAfter} s before you try again.`}`;
  }
}

const NEVER = 'Do not try again.';
