import { pageOf } from '@legate/pagination';
import { created, noContent, ok, versioned } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';
import { json } from '../../http/api/request-body.ts';
import { AddDomain, Domain, ListDomains } from './domain.ts';
import type { Domains } from './service.ts';
import type { VerifyDomain } from './verification.ts';

const FOUND = { description: 'The domain', schema: Domain, headers: ['ETag'] } as const;

export const domainOperations = (deps: { domains: Domains; verify: VerifyDomain }): Operation[] => [
  operation('listDomains', 'get', '/domains', {
    tag: 'Domains',
    summary: 'List domains',
    access: 'domains:read',
    query: ListDomains,
    responses: { 200: { description: 'A page of domains', schema: pageOf(Domain) } },
    handle: async ({ organizationId, query }) => ok(await deps.domains.list(organizationId, query)),
  }),
  operation('addDomain', 'post', '/domains', {
    tag: 'Domains',
    summary: 'Add a domain',
    description:
      'The response contains the TXT record that proves ownership. Add the record to the DNS, then verify the domain. Public suffixes and the domains of public mail providers are refused.',
    access: 'domains:write',
    body: json(AddDomain),
    responses: { 201: { ...FOUND, description: 'The new domain', headers: ['Location', 'ETag'] } },
    problems: { 409: ['domain_already_added', 'quota_exceeded'] },
    change: async (change, { body }) => {
      const stored = await deps.domains.add(change, body);
      return created(`/domains/${stored.value.id}`, stored);
    },
  }),
  operation('getDomain', 'get', '/domains/{domain_id}', {
    tag: 'Domains',
    summary: 'Get a domain',
    access: 'domains:read',
    responses: { 200: FOUND },
    handle: async ({ organizationId, params }) =>
      versioned(await deps.domains.find(organizationId, params.domain_id)),
  }),
  operation('removeDomain', 'delete', '/domains/{domain_id}', {
    tag: 'Domains',
    summary: 'Remove a domain',
    description: 'Permanent. Adding the domain again requires a new TXT record.',
    access: 'domains:write',
    ifMatch: true,
    responses: { 204: { description: 'The domain is removed' } },
    change: async (change, { params, ifMatch }) => {
      await deps.domains.remove(change, params.domain_id, ifMatch);
      return noContent;
    },
  }),
  operation('verifyDomain', 'post', '/domains/{domain_id}/verify', {
    tag: 'Domains',
    summary: 'Verify a domain',
    description:
      'Queries the DNS for the record. The response is the domain: `verified` if the record was found, otherwise in its previous state. At most 10 times a minute per organization. 503 if the DNS did not respond.',
    access: 'domains:write',
    responses: { 200: FOUND },
    problems: { 409: ['domain_verified_elsewhere'] },
    handle: async ({ author, params }) => versioned(await deps.verify(author, params.domain_id)),
  }),
];
