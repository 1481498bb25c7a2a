import { Problem } from '@legate/service';

type Conflict =
  | 'client_exists'
  | 'external_id_taken'
  | 'organization_exists'
  | 'policy_exists'
  | 'resource_server_exists'
  | 'signing_keys_shared'
  | 'user_exists';

export const conflict = (code: Conflict, detail: string): Problem =>
  new Problem(409, code, 'Conflict', { detail });
