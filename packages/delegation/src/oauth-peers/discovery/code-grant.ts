import { z } from 'zod';

/**
 * Members of an authorization server's metadata that only the code grant needs.
 * @see RFC 8414 §2, RFC 7009 §2, RFC 9207 §3, draft-ietf-oauth-client-id-metadata-document §6
 */
export const CodeGrantMetadata = z.object({
  authorization_endpoint: z.url().optional(),
  response_types_supported: z.array(z.string()).optional(),
  grant_types_supported: z.array(z.string()).optional(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
  revocation_endpoint: z.url().optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
  /** Any other type counts as absent, so that it does not affect methods that do not use it. */
  client_id_metadata_document_supported: z.boolean().optional().catch(undefined),
});
export type CodeGrantMetadata = z.output<typeof CodeGrantMetadata>;

export const offersCode = (metadata: CodeGrantMetadata): boolean =>
  metadata.authorization_endpoint !== undefined &&
  metadata.response_types_supported?.includes('code') !== false &&
  metadata.grant_types_supported?.includes('authorization_code') !== false;

/** Without the member it is unknown whether a stolen or injected code would be refused (MCP authorization). */
export const offersPkce = ({ code_challenge_methods_supported: methods }: CodeGrantMetadata): boolean =>
  methods?.includes('S256') === true;
