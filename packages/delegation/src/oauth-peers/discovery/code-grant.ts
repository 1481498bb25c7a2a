import { z } from 'zod';

/**
 * What only the authorization code grant needs of an authorization server's metadata.
 * @see RFC 8414 §2, RFC 7009 §2, RFC 9207 §3, draft-ietf-oauth-client-id-metadata-document §6
 */
export const CodeGrantMetadata = z.object({
  authorization_endpoint: z.url().optional(),
  response_types_supported: z.array(z.string()).optional(),
  grant_types_supported: z.array(z.string()).optional(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
  revocation_endpoint: z.url().optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
  /** What is neither true nor false is no promise, and no reason to refuse those whom it does not concern. */
  client_id_metadata_document_supported: z.boolean().optional().catch(undefined),
});
export type CodeGrantMetadata = z.output<typeof CodeGrantMetadata>;

export const offersCode = (metadata: CodeGrantMetadata): boolean =>
  metadata.authorization_endpoint !== undefined &&
  metadata.response_types_supported?.includes('code') !== false &&
  metadata.grant_types_supported?.includes('authorization_code') !== false;

/** Without the member nobody knows whether a code that was stolen or injected would be refused (MCP authorization). */
export const offersPkce = ({ code_challenge_methods_supported: methods }: CodeGrantMetadata): boolean =>
  methods?.includes('S256') === true;
