import type { McpAnswer } from './mcp-answer.ts';
import type { McpCredential } from './mcp-target.ts';
import { containsSecret } from './secret-echo.ts';

/**
 * Removes the token or key that a tool server was called with from its response, because the result, the `Server`
 * header and the required scopes reach callers.
 */
export function withoutSecret(answer: McpAnswer, credential: McpCredential): McpAnswer {
  const isHeldBy = (...texts: (string | undefined)[]) =>
    texts.some((text) => text !== undefined && containsSecret(text, credential));
  const secret = `the ${NAMES[credential.kind]} of the call`;
  switch (answer.kind) {
    case 'result':
    case 'input_required':
      return isHeldBy(answer.json) ? { kind: 'unusable', reason: `its response contains ${secret}` } : answer;
    case 'error':
      return isHeldBy(answer.message, answer.data) ? { ...answer, message: '', data: undefined } : answer;
    case 'unauthorized':
    case 'forbidden':
    case 'rejected':
      return isHeldBy(answer.body) ? { ...answer, body: `a body that contains ${secret}` } : answer;
    case 'insufficient_scope':
      return isHeldBy(answer.scopes.join(' ')) ? { ...answer, scopes: [] } : answer;
    case 'unavailable':
    case 'unusable':
      return isHeldBy(answer.reason) ? { ...answer, reason: `its response contains ${secret}` } : answer;
  }
}

const NAMES = {
  access_token: 'access token',
  api_key: 'API key',
  client_certificate: 'certificate',
} as const satisfies Record<McpCredential['kind'], string>;
