import { type Finding, fail, ok, warn } from '@legate/doctor';
import type { McpAnswer } from '@legate/mcp-client';

/** Evaluates a response to `tools/list` with a token that was issued for this server. */
export function judgeList(answer: McpAnswer): Finding {
  switch (answer.kind) {
    case 'result': {
      const { tools } = answer.result;
      return Array.isArray(tools)
        ? ok('The tool server accepts the token and lists its tools.', { tools_on_first_page: tools.length })
        : fail('Its list of tools is malformed.', 'Answer tools/list with an array "tools".');
    }
    case 'unauthorized':
      if (answer.body !== undefined)
        return fail(
          `tools/list with a good token is answered with status 401 and ${answer.body}, as by something in front of the tool server.`,
          'Let requests of the hub through there.',
        );
      return fail(
        'The tool server refuses a token that its own authorization server has just issued.',
        'Let it accept the issuer, the audience and the keys of its authorization server.',
      );
    case 'insufficient_scope':
      return warn(
        'The token has too few scopes to list the tools.',
        'Grant the scopes that its challenge names to the connector.',
        { scopes: answer.scopes },
      );
    case 'forbidden':
      return fail(
        `The tool server answers tools/list with status 403${answer.body === undefined ? '' : ` and ${answer.body}`}: it does not allow this user, or the hub.`,
        'Allow this user there; if they are allowed, let requests of the hub through.',
      );
    case 'input_required':
      return fail('It asks for input to list its tools.', 'Answer tools/list without asking.');
    case 'unavailable':
    case 'unusable':
      return fail(
        `The tool server cannot be used: ${answer.reason}.`,
        'Look into the log of the tool server, and of what is in front of it.',
      );
    case 'rejected':
      return fail(
        `It refuses tools/list with status ${answer.status}${answer.body === undefined ? '' : ` and ${answer.body}`}.`,
        'Check the address of the MCP endpoint (mcp_url of the connector). Serve MCP over HTTP, revision 2026-07-28 or one of the handshake.',
      );
    case 'error':
      return fail(
        `It answers tools/list with error ${answer.code}.`,
        'Look into the log of the tool server.',
      );
  }
}
