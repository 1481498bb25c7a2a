import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { INFRA, manifestsOf, PORTS, readManifests } from './overlays.ts';

/** Checks the alternative files of the production overlay, which a cluster may use instead of others. */

const read = (file: string) => readManifests(`overlays/production/${file}`);

const Route = z.object({
  kind: z.literal('HTTPRoute'),
  spec: z.object({
    hostnames: z.tuple([z.string()]),
    rules: z.tuple([
      z.object({
        matches: z.array(
          z.strictObject({ path: z.object({ type: z.literal('PathPrefix'), value: z.string() }) }),
        ),
        backendRefs: z.tuple([
          z.object({
            name: z.enum(['management-api', 'tool-hub', 'reference-mcp-server', 'console']),
            port: z.number(),
          }),
        ]),
      }),
    ]),
  }),
});
const Ingress = z.object({
  spec: z.object({
    rules: z.array(
      z.object({
        host: z.string(),
        http: z.object({
          paths: z.array(
            z.object({
              path: z.string(),
              pathType: z.literal('Prefix'),
              backend: z.object({ service: z.object({ name: z.string() }) }),
            }),
          ),
        }),
      }),
    ),
  }),
});
const ExternalSecret = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    target: z.object({ name: z.string() }),
    dataFrom: z.tuple([z.object({ extract: z.object({ key: z.string() }) })]),
  }),
});

const pathsOfIngress = () =>
  Ingress.parse(read('ingress.yaml')[0]).spec.rules.flatMap(({ host, http }) =>
    http.paths.map(({ path, backend }) => [host, path, backend.service.name]),
  );

it('exposes the same paths through the Gateway API as through the Ingress', () => {
  const byRoutes = z
    .array(Route)
    .parse(read('http-routes.yaml'))
    .flatMap(({ spec }) =>
      spec.rules[0].matches.map(({ path }) => [
        spec.hostnames[0],
        path.value,
        spec.rules[0].backendRefs[0].name,
      ]),
    );
  expect(byRoutes).toEqual(pathsOfIngress());
});

it('exposes the same paths of the hub through the nginx of the guide', () => {
  const guide = readFileSync(`${INFRA}../../docs/operations/production.md`, 'utf8');
  const [, list = ''] = /location ~ \^\/\((.+?)\)\(\/\|\$\)/.exec(guide) ?? [];
  const byIngress = pathsOfIngress().flatMap(([, path, service]) => (service === 'tool-hub' ? [path] : []));
  expect(list.split('|').map((path) => `/${path.replace('\\', '')}`)).toEqual(byIngress);
});

it('directs routes to the ports of the services', () => {
  for (const { spec } of z.array(Route).parse(read('http-routes.yaml'))) {
    const [{ name, port }] = spec.rules[0].backendRefs;
    expect(port).toBe(PORTS[name]);
  }
});

it('creates each Secret that a pod mounts from the vault entry of the same name', () => {
  const made = z.array(ExternalSecret).parse(read('external-secrets.yaml'));
  const mounted = ['overlays/production', 'overlays/production/migration']
    .flatMap((overlay) => JSON.stringify(manifestsOf(overlay)).match(/"secretName":"[^"]+"/g) ?? [])
    .map((match) => JSON.parse(`{${match}}`).secretName)
    .filter((name) => name !== 'legate-tls'); // created by cert-manager, or by you
  expect(made.map(({ spec }) => spec.target.name).sort()).toEqual([...new Set(mounted)].sort());
  for (const { metadata, spec } of made)
    expect([spec.target.name, spec.dataFrom[0].extract.key]).toEqual([
      metadata.name,
      `legate/${metadata.name}`,
    ]);
});
