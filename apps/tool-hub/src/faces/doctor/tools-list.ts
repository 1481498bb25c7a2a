import { type Finding, fail, ok, warn } from '@legate/doctor';
import type { McpAnswer } from '@legate/mcp-client';

/** Evaluates a response to `tools/list` with a token that was issued for this server. */
export function judgeList(answer: McpAnswer): Finding {
  switch (answer.kind) {
    case 'result': {
      const { tools } = answer.result;
      return Array.isArray(tools)
        ? ok('The tool server accepts the token and lists its tools.', { tools_on_first_page: tools.length })
        : fail('The list of tools is malformed.', 'Respond to tools/list with an array "tools".');
    }
    case 'unauthorized':
      if (answer.body !== undefined)
        return fail(
          `The response to tools/list with a valid token is status 401 and ${answer.body}. It seems to come from something in front of the tool server.`,
          "Let the hub's requests pass there.",
        );
      return fail(
        'The tool server refuses a token that its own authorization server has just issued.',
        'Configure it to accept the issuer, the audience and the keys of its authorization server.',
      );
    case 'insufficient_scope':
      return warn(
        'The token has too few scopes to list the tools.',
        'Add the scopes in its challenge to the connector.',
        { scopes: answer.scopes },
      );
    case 'forbidden':
      return fail(
        `The tool server responds to tools/list with status 403${answer.body === undefined ? '' : ` and ${answer.body}`}: it does not allow this user, or the hub.`,
        "Allow this user there. If they are allowed already, let the hub's requests pass.",
      );
    case 'input_required':
      return fail(
        'The tool server asks for input to list its tools.',
        'Respond to tools/list without asking for input.',
      );
    case 'unavailable':
    case 'unusable':
      return fail(
        `The tool server cannot be used: ${answer.reason}.`,
        'Check the logs of the tool server, and of any proxy in front of it.',
      );
    case 'rejected':
      return fail(
        `The tool server refuses tools/list with status ${answer.status}${answer.body === undefined ? '' : ` and ${answer.body}`}.`,
        'Check the address of the MCP endpoint (mcp_url of the connector). Serve MCP over HTTP, in revision 2026-07-28 or an earlier one with a handshake.',
      );
    case 'error':
      return fail(
        `The tool server responds to tools/list with error ${answer.code}.`,
        'Check the log of the tool server.',
      );
  }
}
