import type { Operation } from '../../http/api/operation.ts';
import type { Platform } from '../../platform/platform.ts';
import type { CheckQuota } from '../resources/quota.ts';
import { siteOriginOperations } from './origin-routes.ts';
import { createSiteOrigins } from './origin-service.ts';
import { createOriginStore } from './origin-store.ts';
import { siteOperations } from './routes.ts';
import { createSites, type Sites } from './service.ts';
import { createSiteStore } from './store.ts';

export function openSites(
  { tenants, clock }: Platform,
  checkQuota: CheckQuota,
): { readonly sites: Sites; readonly operations: Operation[] } {
  const siteStore = createSiteStore({ tenants, clock });
  const originStore = createOriginStore(tenants);
  const sites = createSites({ store: siteStore, origins: originStore, checkQuota, clock });
  const origins = createSiteOrigins({ sites, siteStore, store: originStore, clock });
  return { sites, operations: [...siteOperations(sites), ...siteOriginOperations({ origins, clock })] };
}
