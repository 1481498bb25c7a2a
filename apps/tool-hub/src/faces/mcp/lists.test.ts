import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import type { ListKind } from '@legate/mcp-client';
import { createLogger } from '@legate/service';
import { START } from '@legate/service/testing';
import {
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ListToolsResultSchema,
} from '@modelcontextprotocol/core';
import fc from 'fast-check';
import { toListItem } from '../../calls/list-item.ts';
import { readConnectorsFile } from '../../connectors/connectors-document.ts';
import type { Connector } from '../../domain/connector.ts';
import { Presence } from '../../domain/presence.ts';
import { createAgentLists } from './lists.ts';
import { prefixed } from './names.ts';

const SCHEMAS = {
  tools: ListToolsResultSchema,
  resources: ListResourcesResultSchema,
  resourceTemplates: ListResourceTemplatesResultSchema,
  prompts: ListPromptsResultSchema,
} as const;
const KINDS: ListKind[] = ['tools', 'resources', 'resourceTemplates', 'prompts'];

let connectors: ReadonlyMap<string, Connector>;
beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'connectors-'));
  const path = join(directory, 'connectors.json');
  const records = ['a', 'b'].map((id) => ({
    ...{ id, organization_ids: ['org_acme'], name: 'Tools', resource: 'https://tools.example' },
    ...{ auth_method: 'id-jag', client_id: 'hub', client_secret: 'secret' },
  }));
  writeFileSync(path, JSON.stringify({ connectors: records }));
  const registry = readConnectorsFile(path, { env: {}, production: false });
  rmSync(directory, { recursive: true });
  ({ connectors } = await registry.of(OrganizationId.parse('org_acme')));
});

/** Items that are nearly valid, which find more faults than random values do */
const json = fc.jsonValue({ maxDepth: 3 });
const nearly = (right: fc.Arbitrary<unknown>) => fc.oneof({ weight: 4, arbitrary: right }, json);
const item = fc.record(
  {
    name: nearly(fc.constantFrom('x', 'y', 'a b', '', 'b.x')),
    uri: nearly(fc.constantFrom('a:b', 'file:///x')),
    uriTemplate: nearly(fc.constant('a:{b}')),
    description: nearly(fc.string()),
    title: nearly(fc.string()),
    mimeType: nearly(fc.constant('text/plain')),
    size: nearly(fc.integer()),
    inputSchema: nearly(fc.record({ type: nearly(fc.constant('object')), properties: json })),
    outputSchema: nearly(fc.record({ type: nearly(fc.constant('object')), properties: json })),
    annotations: nearly(fc.record({ readOnlyHint: nearly(fc.boolean()), priority: json })),
    icons: nearly(fc.array(fc.record({ src: nearly(fc.constant('https://a.example/b.png')) }))),
    arguments: nearly(fc.array(fc.record({ name: nearly(fc.string()), required: json }))),
    execution: nearly(fc.record({ taskSupport: json })),
    _meta: nearly(fc.dictionary(fc.string(), json)),
  },
  { requiredKeys: [] },
);

it.each(KINDS)('whatever tool servers list as %s, a client can read the whole list', async (kind) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { maxLength: 5 }),
      fc.array(item, { maxLength: 5 }),
      fc.constantFrom('modern' as const, 'legacy' as const),
      async (ofA, ofB, era) => {
        const lists = createAgentLists({
          readList: async (_caller, { id }) => ({
            items: (id === 'a' ? ofA : ofB).map((own) => {
              const json = JSON.stringify(own);
              return toListItem(JSON.parse(json), json);
            }),
            refused: new Set(),
            freshUntilMs: START.getTime() + 1000,
            isCut: false,
            credential: { kind: 'api_key', method: 'service', key: 'key', header: 'x-key', value: 'key' },
            actsAs: 'user',
            heldBytes: 0,
          }),
          memory: { find: () => undefined, keep: () => undefined },
          timeoutMs: 10_000,
          clock: () => START,
          log: createLogger({ service: 'test', level: 'fatal' }),
        });
        const text = await lists.write({
          caller: {
            userId: UserId.parse('user_alice'),
            organizationId: OrganizationId.parse('org_acme'),
            subjectToken: 'token',
            subjectTokenId: 'hash-of-it',
            audiences: [],
            authentication: { client: 'frontend-app' },
          },
          endpoint: { isSingle: false, connectors, faults: [], naming: prefixed(connectors) },
          kind,
          cursor: undefined,
          era,
          extensions: undefined,
          presence: new Presence(),
        });
        const result = JSON.parse(text);
        expect(SCHEMAS[kind].safeParse(result).error).toBeUndefined();
        const leftOut = result._meta['legate/left_out'].reduce(
          (sum: number, { count = 0 }) => sum + count,
          0,
        );
        expect(result[kind].length + leftOut).toBe(ofA.length + ofB.length);
      },
    ),
    { numRuns: 150 },
  );
});
