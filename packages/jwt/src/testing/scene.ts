export const NOW = 1_790_000_000;
export const ISSUER = 'https://idp.example';
export const AUDIENCE = 'https://tools.example';

export const ACCEPTED = ['ES256', 'ES384', 'PS256', 'RS256', 'EdDSA', 'Ed25519'] as const;
export type Accepted = (typeof ACCEPTED)[number];
