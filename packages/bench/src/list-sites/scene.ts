/** Constants shared by the programs and the load of this path. */
export const RESOURCE = 'https://api.bench.example';
export const SITES_PATH = '/api/v1/sites';
export const SCOPE = 'sites:read';
/** The application's role, which row-level security binds; created by the migrations. */
export const APPLICATION_ROLE = 'mgmt_app';
export const POOL_SIZE = 10;
/** Limit of a custom plan, so high that the limiter counts every request and refuses none. */
export const REQUESTS_PER_MINUTE = 1_000_000;

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;

/** Number of sites of the measured organization; the other sizes show how the cost grows. */
export const SITES = 500;
export const GROWTH = [10, 1000, 100_000] as const;
/** Rows of other organizations, as in any shared table. */
export const OTHERS = { organizations: 100, sitesEach: 500 } as const;

export const organizationOf = (sites: number): string => `org_of_${sites}`;

export interface Site {
  readonly id: string;
  readonly name: string;
  readonly allowed_origins: readonly string[];
  readonly created_at: string;
}

/** Must match the SQL in `database.ts`, which generates the same rows. @param number from 1 */
export function siteOf(organizationId: string, number: number): Site {
  const padded = String(number).padStart(8, '0');
  return {
    id: `site_${organizationId}_${padded}`,
    name: `Site ${number}`,
    allowed_origins: [`https://app-${number}.acme.example`, `https://www-${number}.acme.example`],
    created_at: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString(),
  };
}
