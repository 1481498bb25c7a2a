import type { Me } from '../api/types.ts';

/** `GET /bff/session` */
export interface Session {
  readonly user: Me['user'];
  readonly organization: Me['organization'];
  readonly role: Me['role'];
  readonly scopes: readonly string[];
  readonly expires_at: string;
}

/** `/config.json`; every member is optional */
export interface Config {
  readonly name?: string;
  readonly environment?: string;
  readonly tool_hub_url?: string;
  readonly management_api_url?: string;
  readonly docs_url?: string;
  readonly identity_provider_name?: string;
  readonly features?: Readonly<Record<string, boolean>>;
}
