import { expect, it } from '@jest/globals';
import { z } from 'zod';
import type { Declaration } from './declaration.ts';
import { describeOperations } from './document.ts';

const Site = z.strictObject({ id: z.string() }).meta({ id: 'Site' });
const GET: Declaration = {
  ...{ method: 'get', path: '/sites/{site_id}', operationId: 'getSite', summary: 'Get a site' },
  query: z.strictObject({ view: z.enum(['short', 'long']).optional().describe('How much of it') }),
  responses: { 200: { description: 'The site', schema: Site, headers: ['ETag'] } },
};
const PUT: Declaration = {
  ...{ method: 'put', path: '/sites/{site_id}', operationId: 'putSite', summary: 'Place a site' },
  body: { mediaTypes: ['application/json'], schema: z.strictObject({ name: z.string() }), required: true },
  responses: { 204: { description: 'Placed' } },
};

const { paths, components } = describeOperations([GET, PUT], {
  problem: { type: 'object' },
  headers: { ETag: { description: 'Its version', schema: { type: 'string' } } },
  parameters: { Agent: { name: 'Agent', in: 'header', schema: { type: 'string' } } },
  examples: { Site: { id: '1' } },
  describe: ({ method }) => ({ tags: [method] }),
  parametersOf: ({ method }) => (method === 'put' ? ['Agent'] : []),
  problemsOf: () => new Map([[404, ['not_found']]]),
  headersOf: () => [],
});
const at = (method: string) => (paths['/sites/{site_id}'] as Record<string, unknown>)[method];

it('describes path, query and header parameters', () => {
  const id = {
    ...{ name: 'site_id', in: 'path', required: true },
    ...{ description: 'Id of the site', schema: { type: 'string' } },
  };
  expect(at('get')).toMatchObject({
    parameters: [
      id,
      { name: 'view', in: 'query', required: false, description: 'How much of it' },
      { $ref: '#/components/parameters/IfNoneMatch' },
    ],
  });
  expect(at('put')).toMatchObject({ parameters: [id, { $ref: '#/components/parameters/Agent' }] });
});

it('names the schema of a body after its operation, and adds examples to schemas', () => {
  expect(at('put')).toMatchObject({
    requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/PutSite' } } } },
  });
  expect(components.schemas).toMatchObject({
    PutSite: { required: ['name'] },
    Site: { examples: [{ id: '1' }] },
  });
});

it('describes 304 for a response with an ETag', () => {
  expect(at('get')).toMatchObject({
    responses: { 304: { headers: { ETag: { $ref: '#/components/headers/ETag' } } } },
  });
});

it('contains a refusal that several operations share only once', () => {
  expect(Object.keys(components.responses)).toEqual(['Problem404']);
  for (const method of ['get', 'put'])
    expect(at(method)).toMatchObject({ responses: { 404: { $ref: '#/components/responses/Problem404' } } });
});

it('includes the members that the API adds to an operation', () => {
  expect(at('get')).toMatchObject({ operationId: 'getSite', summary: 'Get a site', tags: ['get'] });
});
