import { parseConnectTo, parseOutboundAllow } from '@legate/guarded-fetch';
import { z } from 'zod';
import { tracingEnvironment } from '../tracing/settings.ts';
import { commaSeparated } from './comma-separated.ts';
import { trustedProxies } from './trusted-proxies.ts';

/** An origin as browsers send it in `Origin` (Fetch standard): scheme, host and port, nothing else. */
export const browserOrigin = z
  .string()
  .refine((origin) => URL.canParse(origin) && new URL(origin).origin === origin, {
    error: 'must be an origin, such as https://app.example',
  });

/** `ALLOWED_ORIGINS`, in every service that pages of other origins may call */
export const allowedOrigins = commaSeparated.pipe(z.array(browserOrigin)).default([]).meta({
  description:
    'Origins of web pages that may call the service from a browser, separated by commas. Compared as strings. Its own origin, and programs outside browsers, need no entry.',
  when: 'Operators of a web page that calls the management API or has an agent that speaks MCP, and developers with the MCP Inspector.',
  example: 'https://app.example',
});

export const port = z.coerce.number().int().min(0).max(65_535);

/** Returns a check for `refine` that fails if `parse` throws. */
export const succeeds =
  <Value>(parse: (value: Value) => unknown) =>
  (value: Value): boolean => {
    try {
      parse(value);
      return true;
    } catch {
      return false; // the fault is reported with the name of the variable
    }
  };

/** `SINGLE_ORGANIZATION`, in every service that divides what a process can do among organizations */
export const singleOrganization = z.stringbool().default(false).meta({
  description:
    'If true, one organization may use all concurrent requests, streams and database connections of a process, part of which is otherwise reserved for others.',
  when: 'Operators of a deployment that has one organization.',
});

const MAX_SESSION_SECONDS = 30 * 86_400;

/** How long sign-ins last, in the services that have sessions */
export const sessionEnvironment = {
  SESSION_LIFETIME_SECONDS: z.coerce.number().int().min(60).max(MAX_SESSION_SECONDS).optional().meta({
    description:
      'Maximum lifetime of every session, however often it is used. Unset: 7 days for applications, 30 days for MCP clients that a user has allowed, 12 hours in the console.',
    when: 'Operators whose rules limit how long a sign-in lasts.',
  }),
  SESSION_IDLE_SECONDS: z.coerce.number().int().min(60).max(MAX_SESSION_SECONDS).optional().meta({
    description:
      'Time after which every unused session ends. Unset: a day for applications, 7 days for MCP clients, an hour in the console.',
    when: 'Operators whose rules limit how long a sign-in may stay unused.',
  }),
};

/** The variables that every service has. */
export const serviceEnvironment = {
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development').meta({
    description:
      'In `production` the service refuses to start with development values: see “Not in production”. The images set `production`.',
    when: 'Developers: `development`, for the development setup with its published secrets.',
  }),
  HOST: z.string().min(1).default('127.0.0.1').meta({
    description: 'Interface to listen on. The images set `0.0.0.0`.',
    when: 'Operators who do not use the images, and whose services are called from other machines.',
    example: '0.0.0.0',
  }),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info').meta({
    description: 'Lowest level that is logged.',
    when: 'Operators who look for a fault (`debug`), or have too many log lines (`warn`).',
  }),
  METRICS_PORT: port.optional().meta({
    description: 'Port that serves Prometheus metrics at `/metrics`. Unset: metrics are not served.',
    when: 'Operators with Prometheus.',
    example: '9464',
  }),
  SHUTDOWN_DELAY_SECONDS: z.coerce.number().int().min(0).max(120).default(0).meta({
    description:
      'Seconds after SIGTERM in which the service reports that it is not ready but still answers, so that load balancers notice. Use at least two intervals of their health check.',
    when: 'Operators with a load balancer, so that a rollout loses no request.',
    example: '10',
  }),
  TRUSTED_PROXIES: trustedProxies.default([]).meta({
    description:
      'Addresses or CIDR blocks of the proxies in front of the service, separated by commas. Only their `X-Forwarded-For` is used. `none` if clients connect directly. Required in production.',
    when: 'Operators in production: limits for an address need the address of the client.',
    example: '10.0.0.0/8',
  }),
  OUTBOUND_ALLOW: commaSeparated
    .refine(succeeds(parseOutboundAllow), { error: 'must be "loopback" or CIDR blocks' })
    .default([])
    .meta({
      description:
        'Non-public addresses that outgoing requests may reach, also over plain http: `loopback` or CIDR blocks, separated by commas.',
      when: 'Operators whose identity provider, tool servers or services are in a private network.',
      example: '10.20.0.0/16',
    }),
  CONNECT_TO: commaSeparated
    .refine(succeeds(parseConnectTo), { error: 'must be host:port=host:port pairs' })
    .default([])
    .meta({
      description:
        'Where to connect instead of a public address, as in curl’s `--connect-to`: `public-host:port=internal-host:port` pairs, separated by commas.',
      when: 'Developers who run the services in containers, and reach them as localhost.',
      example: 'localhost:4002=mock-idp:4002',
    }),
  ...tracingEnvironment,
};
