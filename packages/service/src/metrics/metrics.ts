import type { NextFunction, Request, Response } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { answeredStatus } from '../logs/answered-status.ts';
import { mountPath, routePattern } from '../logs/route-pattern.ts';
import { PROTOCOL_FAULTS, type ProtocolFault } from '../problems/protocol-faults.ts';
import { VERSION } from './version.ts';

declare global {
  namespace Express {
    interface Locals {
      /** The time at which the first part of an open-ended answer was written, on the scale of `performance.now()` */
      answeredAtMs?: number;
    }
  }
}

export { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Every route of a service is a time series; a service has fewer than this. */
const MAX_ROUTES = 200;

/** Limit for one route, by method, mount path and status: below a parameter, callers can invent mount paths. */
const MAX_SERIES = 50;

/** Label for requests that matched no route. */
const NO_ROUTE = {};

/** The time series of requests with equal labels. */
interface Series {
  readonly method: string;
  readonly mount: string;
  readonly status: number;
  readonly duration: Histogram.Internal<'method' | 'route' | 'status'>;
}

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(service: string) {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'build_info',
    help: 'Always 1; the labels are the versions of the service and of Node.js',
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
    help: 'Requests that were refused before routing, because they were not HTTP, too large, too slow, or meant for a proxy',
    labelNames: ['code'],
    registers: [registry],
  });
  for (const code of PROTOCOL_FAULTS) faults.inc({ code }, 0);
  const routes = new Set<string>();
  const bounded = (route: string): string => {
    if (routes.size < MAX_ROUTES) routes.add(route);
    return routes.has(route) ? route : 'other';
  };
  /** The series of each Express route: looking up labels costs more than observing. */
  const series = new WeakMap<object, Series[]>();
  function durationOf(req: Request, status: number): Series['duration'] {
    const { method } = req;
    const route: object = req.route ?? NO_ROUTE;
    // Express loses the mount path only when an error leaves the router.
    const mount = status < 400 ? req.baseUrl : mountPath(req);
    const ofRoute = series.get(route) ?? [];
    for (const known of ofRoute)
      if (known.status === status && known.method === method && known.mount === mount) return known.duration;
    const pattern = routePattern(req);
    const name = pattern === undefined ? 'unmatched' : bounded(`${mount.toLowerCase()}${pattern}`);
    const made = duration.labels({ method, route: name, status: String(status) });
    if (ofRoute.length < MAX_SERIES)
      series.set(route, [...ofRoute, { method, mount, status, duration: made }]);
    return made;
  }
  return {
    registry,
    /**
     * Observes rate, errors and duration of every request, by route pattern: ids never become labels. Where a router is
     * mounted below a parameter they would, so the number of routes is bounded, and the rest counts as `other`. That mount
     * path is as the caller spelt it, and Express takes any case: spellings must not use up the bound.
     */
    observeRequests(req: Request, res: Response, next: NextFunction): void {
      const startedAt = performance.now();
      res.on('close', () => {
        // For an open-ended stream, the duration is the time until its first part.
        const answeredAtMs = res.locals.answeredAtMs ?? performance.now();
        durationOf(req, answeredStatus(res)).observe((answeredAtMs - startedAt) / 1000);
      });
      next();
    },
    /** Counts input that never became a request, and so has neither route nor duration. */
    countProtocolFault: (code: ProtocolFault): void => faults.inc({ code }),
  };
}
