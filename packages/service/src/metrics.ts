import { readFileSync } from 'node:fs';
import type { RequestHandler } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { z } from 'zod';
import { answeredStatus } from './answered-status.ts';
import { PROTOCOL_FAULTS, type ProtocolFault } from './protocol-faults.ts';
import { mountPath, routePattern } from './route-pattern.ts';

export { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Every route of a service is a time series of its own; a service has fewer than this. */
const MAX_ROUTES = 200;

/** One version for all that is in the repository */
const { version: VERSION } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')));

export interface Metrics {
  readonly registry: Registry;
  /**
   * Observes rate, errors and duration of every request, by route pattern: ids never become labels. Where a router is
   * mounted below a parameter they would, so the number of routes is bounded, and the rest counts as `other`. That mount
   * path is as the caller spelt it, and Express takes any case: spellings must not use up the bound.
   */
  readonly observeRequests: RequestHandler;
  /** Of what never became a request, and has neither route nor duration. */
  readonly countProtocolFault: (code: ProtocolFault) => void;
}

export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'build_info',
    help: 'Always 1: which version runs, and on which Node.js',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version: VERSION, node: process.version }, 1);
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests, in seconds',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const faults = new Counter({
    name: 'http_protocol_faults_total',
    help: 'Requests that were refused before any route, because they were no HTTP, too large, too slow, or for a proxy',
    labelNames: ['code'],
    registers: [registry],
  });
  for (const code of PROTOCOL_FAULTS) faults.inc({ code }, 0);
  /** By method, route and status, of which there are few: looking for labels costs more than observing. */
  const durations = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>();
  function durationOf(method: string, route: string, status: number) {
    const name = `${method} ${status} ${route}`;
    const known = durations.get(name);
    if (known) return known;
    const made = duration.labels({ method, route, status: String(status) });
    durations.set(name, made);
    return made;
  }
  const routes = new Set<string>();
  const bounded = (route: string): string => {
    if (routes.size < MAX_ROUTES) routes.add(route);
    return routes.has(route) ? route : 'other';
  };
  return {
    registry,
    observeRequests(req, res, next) {
      const startedAt = performance.now();
      res.on('close', () => {
        const pattern = routePattern(req);
        const route =
          pattern === undefined ? 'unmatched' : bounded(`${mountPath(req).toLowerCase()}${pattern}`);
        durationOf(req.method, route, answeredStatus(res)).observe((performance.now() - startedAt) / 1000);
      });
      next();
    },
    countProtocolFault: (code) => faults.inc({ code }),
  };
}
