import { idJag } from './id-jag/facts.ts';
import { oauthPkce } from './oauth-pkce/facts.ts';
import { passthrough } from './passthrough/facts.ts';
import { service } from './service/facts.ts';

/** Every authentication method that there is (product spec §5), the preferred one first. */
export const AUTH_METHODS = [idJag, oauthPkce, passthrough, service] as const;

export type AuthMethod = (typeof AUTH_METHODS)[number]['name'];
