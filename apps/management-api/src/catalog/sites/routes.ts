import type { Operation } from '../../http/api/operation.ts';
import { resourceOperations } from '../resources/resource-operations.ts';
import type { Sites } from './service.ts';
import { CreateSite, ListSites, Site, UpdateSite } from './site.ts';

export const siteOperations = (sites: Sites): Operation[] =>
  resourceOperations({
    noun: ['Site', 'Sites'],
    path: '/sites',
    idParameter: 'site_id',
    tag: 'Sites',
    read: 'sites:read',
    write: 'sites:write',
    item: Site,
    list: ListSites,
    create: CreateSite,
    update: UpdateSite,
    service: sites,
    transactions: { list: 'sites:list', get: 'sites:get' },
    descriptions: { update: '`allowed_origins` replaces the origins that have no time limit.' },
    problems: {
      create: { 409: ['quota_exceeded'] },
      update: { 409: ['origin_limit_reached'] },
    },
  });
