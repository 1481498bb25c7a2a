import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { readAlerts, readText } from '../observability/queries.ts';
import { INFRA, isService, METRICS_PORT, manifestsOf } from './overlays.ts';

const FOLDER = 'components/monitoring';
const ServiceMonitor = z.object({
  spec: z.object({
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    jobLabel: z.string(),
    endpoints: z.array(z.object({ port: z.string(), honorLabels: z.boolean() })),
  }),
});
const Service = z.object({
  metadata: z.object({ name: z.string(), labels: z.record(z.string(), z.string()).optional() }),
  spec: z.object({ ports: z.array(z.object({ name: z.string(), port: z.number() })) }),
});
const monitor = ServiceMonitor.parse(manifestsOf(FOLDER).find(({ kind }) => kind === 'ServiceMonitor'));
const services = manifestsOf('overlays/development')
  .filter(({ kind, metadata }) => kind === 'Service' && isService(metadata.name))
  .map((service) => Service.parse(service));

it('has exactly the alerts of infra/observability', () => {
  const rules = readText('infra/observability/alerts/legate.yml');
  const indented = rules.replace(/^#.*\n/gm, '').replace(/^(?=.)/gm, '  ');
  const [, written] = readFileSync(`${INFRA}${FOLDER}/prometheus-rule.yaml`, 'utf8').split(/^spec:\n/m);
  expect(written).toBe(indented);
});

it.each(services.map((service) => [service.metadata.name, service] as const))(
  '%s is scraped at its metrics port, under the name by which the alerts know it',
  (name, { metadata, spec }) => {
    const { selector, jobLabel, endpoints } = monitor.spec;
    expect(metadata.labels).toMatchObject(selector.matchLabels);
    expect(metadata.labels?.[jobLabel]).toBe(name);
    const [endpoint] = endpoints;
    expect(spec.ports.find((port) => port.name === endpoint?.port)?.port).toBe(METRICS_PORT);
    expect(endpoint?.honorLabels).toBe(true);
    const down = readAlerts().find(({ alert }) => alert === 'ServiceDown');
    expect(down?.expr.match(/job=~"([^"]+)"/)?.[1]?.split('|')).toContain(name);
  },
);
