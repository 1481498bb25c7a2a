import { z } from 'zod';
import { commaSeparated } from './comma-separated.ts';
import { parseConnectTo, parseOutboundAllow } from './outbound-rules.ts';
import { tracingEnvironment } from './tracing/settings.ts';
import { trustedProxies } from './trusted-proxies.ts';

/** As browsers send it in `Origin` (Fetch standard): scheme, host and port, nothing else. */
export const browserOrigin = z
  .string()
  .refine((origin) => URL.canParse(origin) && new URL(origin).origin === origin, {
    error: 'must be an origin, such as https://app.example',
  });

export const port = z.coerce.number().int().min(0).max(65_535);

/** For `refine`, with a function that throws on invalid input */
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

/** The variables that every service has. */
export const serviceEnvironment = {
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development').meta({
    description:
      'In `production` the service refuses to start with what is for development: see “Not in production”. The images set it.',
    when: 'Developers: `development`, for the scene with its published secrets.',
  }),
  HOST: z.string().min(1).default('127.0.0.1').meta({
    description: 'Interface to listen on. The images set `0.0.0.0`.',
    when: 'Operators whose services are reached from other machines, and who do not use the images.',
    example: '0.0.0.0',
  }),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info').meta({
    description: 'The least level that is logged.',
    when: 'Operators who look for a fault (`debug`), or have too many log lines (`warn`).',
  }),
  METRICS_PORT: port.optional().meta({
    description: 'Serves Prometheus metrics at `/metrics` on this port. Unset: not served.',
    when: 'Operators with Prometheus.',
    example: '9464',
  }),
  SHUTDOWN_DELAY_SECONDS: z.coerce.number().int().min(0).max(120).default(0).meta({
    description:
      'Seconds after SIGTERM in which the service says that it is not ready and goes on answering, until load balancers have noticed. Behind one: two of its health checks, at least.',
    when: 'Operators with a load balancer, so that a rollout loses no request.',
    example: '10',
  }),
  SHUTDOWN_GRACE_SECONDS: z.coerce.number().int().min(0).max(600).default(10).meta({
    description: 'Seconds that running requests get after that. Longer ones are cut.',
    when: 'Operators whose requests take longer, such as slow tools, and must survive a rollout.',
  }),
  TRUSTED_PROXIES: trustedProxies.default([]).meta({
    description:
      'Addresses or CIDR blocks of the proxies in front, whose `X-Forwarded-For` is believed, separated by commas; `none` where clients connect directly. Required in production.',
    when: 'Operators in production: limits for an address need the address of the client.',
    example: '10.0.0.0/8',
  }),
  OUTBOUND_ALLOW: commaSeparated
    .refine(succeeds(parseOutboundAllow), { error: 'must be "loopback" or CIDR blocks' })
    .default([])
    .meta({
      description:
        'Addresses besides public ones that outgoing requests may reach, and reach over plain http: `loopback` or CIDR blocks, separated by commas.',
      when: 'Operators whose identity provider, tool servers or services are in a private network.',
      example: '10.20.0.0/16',
    }),
  CONNECT_TO: commaSeparated
    .refine(succeeds(parseConnectTo), { error: 'must be host:port=host:port pairs' })
    .default([])
    .meta({
      description:
        'Where to connect for a public address, as curl’s `--connect-to`: `public-host:port=internal-host:port` pairs, separated by commas. For development.',
      when: 'Developers who run the services in containers, and reach them as localhost.',
      example: 'localhost:4002=mock-idp:4002',
    }),
  ...tracingEnvironment,
};
