import { z } from 'zod';

export const referenceEnvironment = {
  API_REFERENCE_CLIENT_ID: z.string().min(1).max(255).optional().meta({
    description:
      'Public client of the identity provider with which readers of `/api/v1/docs` sign in (PKCE), so that they can try the API there. Its redirect URI is `RESOURCE/api/v1/docs/oauth2-redirect.html`, and the provider lets that page call its token endpoint (CORS). Unset: readers paste a token.',
    when: 'Operators who want readers to try the API on its page.',
    example: 'api-reference',
  }),
};

export type ReferenceSettings = Readonly<z.output<z.ZodObject<typeof referenceEnvironment>>>;
