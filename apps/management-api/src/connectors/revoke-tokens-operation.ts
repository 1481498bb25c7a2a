import { z } from 'zod';
import { ok } from '../api/answer.ts';
import { type Operation, operation } from '../api/operation.ts';
import type { RevokeTokens } from './revoke-tokens.ts';

/** The number of tokens is unknown: the hub does not search for them. */
const Revoked = z.strictObject({ revoked: z.literal(true) });

export const revokeTokensOperation = (revokeTokens: RevokeTokens): Operation =>
  operation({
    method: 'post',
    path: '/connectors/{connector_id}/revoke-tokens',
    operationId: 'revokeConnectorTokens',
    tag: 'Connectors',
    summary: 'Revoke the tokens of a connector',
    description:
      'Ends the tokens that the tool hub keeps for the users of the connector. Each of them gets a new one with the next ' +
      'call, if policy still allows it.',
    access: 'connectors:write',
    responses: { 200: { description: 'No token from before is used any more', schema: Revoked } },
    problems: { 409: ['tool_hub_not_configured'], 502: ['tool_hub_error'], 503: ['tool_hub_unavailable'] },
    async handle({ author, params }) {
      await revokeTokens(author, params.connector_id);
      return ok({ revoked: true as const });
    },
  });
