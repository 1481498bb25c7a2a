import type { Request, RequestHandler } from 'express';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Every route of a service is a time series of its own; a service has fewer than this. */
const MAX_ROUTES = 200;

export interface Metrics {
  readonly registry: Registry;
  /**
   * Observes rate, errors and duration of every request, by route pattern: ids never become labels. Where a router is
   * mounted below a parameter they would, so the number of routes is bounded, and the rest counts as `other`.
   */
  readonly observeRequests: RequestHandler;
}

export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests, in seconds',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const routes = new Set<string>();
  const bounded = (route: string): string => {
    if (routes.size < MAX_ROUTES) routes.add(route);
    return routes.has(route) ? route : 'other';
  };
  return {
    registry,
    observeRequests(req, res, next) {
      const startedAt = performance.now();
      res.once('close', () => {
        const pattern = patternOf(req);
        const route = pattern === undefined ? 'unmatched' : bounded(`${req.baseUrl}${pattern}`);
        duration.observe(
          { method: req.method, route, status: String(res.statusCode) },
          (performance.now() - startedAt) / 1000,
        );
      });
      next();
    },
  };
}

/** The path of the route that answered, as it was registered; one of several is written as all of them. */
function patternOf(req: Request): string | undefined {
  const path: unknown = req.route?.path;
  if (Array.isArray(path)) return path.join('|');
  return typeof path === 'string' ? path : undefined;
}
