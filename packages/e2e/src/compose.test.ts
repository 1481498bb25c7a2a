import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ROOT, SERVICE_NAMES, scene } from '@legate/dev';
import { parse } from 'yaml';
import { z } from 'zod';

/** Checks docker-compose.yml: the privileges of each container, the published ports, and the places of secrets. */

const Healthcheck = z.looseObject({ test: z.array(z.string()).optional(), disable: z.boolean().optional() });
const Service = z.looseObject({
  image: z.string().optional(),
  profiles: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  depends_on: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).optional(),
  healthcheck: Healthcheck.optional(),
});
const Compose = z.looseObject({
  services: z.record(z.string(), Service),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
});

const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');
const { services, secrets } = Compose.parse(parse(read('docker-compose.yml'), { merge: true }));
const named = Object.entries(services);
const APPS = SERVICE_NAMES;
const Prometheus = z.object({
  scrape_configs: z.array(
    z.object({
      job_name: z.string(),
      dns_sd_configs: z.array(z.looseObject({ names: z.array(z.string()), port: z.number() })),
    }),
  ),
});
/** Services whose requests may be tool calls, and have 60 seconds to finish; those of others have 10. */
const WAIT_FOR_TOOLS = new Set(['tool-hub', 'console']);
/** Time for closing the stores after the grace period: `run-service.ts`. */
const CLOSE_SECONDS = 5;
const variableOf = (app: string) => app.toUpperCase().replaceAll('-', '_');
const secret = (name: string) => read(`${secrets[name]?.file}`).trim();

describe.each(named)('%s', (_name, service) => {
  it('has no unneeded privileges', () => {
    expect(service).toMatchObject({
      init: true,
      read_only: true,
      tmpfs: expect.arrayContaining(['/tmp']),
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      networks: ['legate'],
    });
    expect(service).not.toHaveProperty('privileged');
  });

  it('is published only on loopback, at a port that can be changed', () => {
    expect(service.ports.filter((port) => !/^127\.0\.0\.1:(\$\{\w+:?-[^}]*\})+:\d+$/.test(port))).toEqual([]);
    expect(service.ports.filter((port) => port.endsWith(':9464'))).toEqual([]);
  });

  it('gets its secrets from files', () => {
    const given = Object.keys(service.environment).filter((variable) =>
      /(SECRET|PASSWORD|_KEYS?|_API_KEY|DATABASE_URL)$/.test(variable),
    );
    expect(given).toEqual([]);
    const read = Object.entries(service.environment)
      .filter(([variable]) => /_+FILE$/.test(variable))
      .flatMap(([, path]) => /^\/run\/secrets\/(.+)$/.exec(path)?.[1] ?? []);
    expect(read.filter((file) => !service.secrets.includes(file))).toEqual([]);
    expect(service.secrets.filter((file) => !existsSync(`${ROOT}${secrets[file]?.file}`))).toEqual([]);
  });

  it('gets no secrets but these', () => {
    const mounted = service.volumes.map((volume) => volume.replace(/:.*$/, ''));
    const files = Object.values(secrets).map(({ file }) => file);
    expect(mounted.filter((path) => files.some((file) => `${file}/`.startsWith(`${path}/`)))).toEqual([]);
  });

  it('comes from an image with a tag', () => {
    if (service.image) expect(service.image).toMatch(/^[\w./-]+:v?\d[\w.-]*$/);
  });
});

it.each(APPS)('gives %s the time that it may take to stop', (app) => {
  const [, seconds] = /^(\d+)s$/.exec(`${services[app]?.stop_grace_period}`) ?? [];
  const [, delay] = /^SHUTDOWN_DELAY_SECONDS=(\d+)$/m.exec(read('infra/nginx/scale.env')) ?? [];
  const grace = WAIT_FOR_TOOLS.has(app) ? 60 : 10;
  expect(Number(seconds)).toBeGreaterThanOrEqual(Number(delay) + grace + CLOSE_SECONDS);
});

it('publishes the services, and nothing else without a profile', () => {
  const published = named.filter(([, { profiles, ports }]) => profiles.length === 0 && ports.length > 0);
  expect(published.map(([name]) => name).sort()).toEqual([...APPS].sort());
});

it.each(APPS)('starts two of %s behind nginx, equal except for their ports on the host', (app) => {
  const { ports: _published, ...first } = services[app] ?? Service.parse({});
  const { ports: _none, ...second } = services[`${app}-2`] ?? Service.parse({});
  expect(second).toEqual({ ...first, profiles: ['scale'] });
  expect(services[`${app}-2`]?.ports).toEqual([]);
});

it.each(APPS)('has nginx lead to %s at its port, and to both of it', (app) => {
  const port = services[app]?.ports[0]?.split(':').at(-1);
  const front = services.nginx?.ports.find((published) => published.endsWith(`:${port}`));
  expect(front).toBe(services[app]?.ports[0]?.replace('DIRECT_PORT_PREFIX:-', 'FRONT_PORT_PREFIX-1'));
  const servers = [
    ...read('infra/nginx/nginx.conf').matchAll(/listen (\d+);\s+location \/ \{\s+proxy_pass (.+);/g),
  ];
  expect(servers.map(([, listen, upstream]) => [listen, upstream])).toContainEqual([port, `http://${app}`]);
  const [, upstreams = ''] = /^services="(.+)"$/m.exec(read('infra/nginx/start.sh')) ?? [];
  expect(upstreams.split(' ')).toContain(`${app}:${port}`);
  expect(/^EXPOSE (.+)$/m.exec(read('infra/nginx/Dockerfile'))?.[1]?.split(' ')).toContain(port);
  expect(read('infra/nginx/scale.env')).toMatch(new RegExp(`^${variableOf(app)}_HOST=nginx$`, 'm'));
});

it.each(APPS)('lets the others reach %s by the URL that identifies it', (app) => {
  const port = services[app]?.ports[0]?.split(':').at(-1);
  const variable = variableOf(app);
  const entry = `localhost:\${${variable}_PORT:-${port}}=\${${variable}_HOST:-${app}}:${port}`;
  for (const other of APPS) expect(services[other]?.environment.CONNECT_TO?.split(/,\s*/)).toContain(entry);
});

it.each(APPS)('lets Prometheus read the metrics of both replicas of %s', (app) => {
  const { scrape_configs } = Prometheus.parse(parse(read('infra/development/observability/prometheus.yml')));
  const [found] = scrape_configs.find(({ job_name }) => job_name === app)?.dns_sd_configs ?? [];
  expect(found).toMatchObject({ names: [app, `${app}-2`], port: 9464 });
});

it('starts in an order that is gated by health', () => {
  const conditions = named.flatMap(([, { depends_on }]) =>
    depends_on && !Array.isArray(depends_on) ? Object.values(depends_on) : [],
  );
  expect(conditions.length).toBeGreaterThan(10);
  const gates = [{ condition: 'service_healthy' }, { condition: 'service_completed_successfully' }];
  expect(
    conditions.filter((each) => !gates.some((gate) => JSON.stringify(gate) === JSON.stringify(each))),
  ).toEqual([]);
  expect(services['management-api']?.depends_on).toMatchObject({
    migrations: { condition: 'service_completed_successfully' },
  });
});

it('defines what the file needs for the profile `scale`', () => {
  const asked = new Set([...read('docker-compose.yml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
  const given = [...read('infra/nginx/scale.env').matchAll(/^(\w+)=/gm)].map(([, name]) => name);
  expect(given.filter((name) => !asked.has(name))).toEqual([]);
  expect(given).toEqual(expect.arrayContaining(['FRONT_PORT_PREFIX', 'DIRECT_PORT_PREFIX', 'TOOL_HUB_HOST']));
});

it.each([
  ['no body of a stranger in its memory', /^ *proxy_request_buffering off;$/m],
  ['no client address from the request', /^ *proxy_set_header X-Forwarded-For \$remote_addr;$/m],
  ['no host that a client says was asked for', /^ *proxy_set_header X-Forwarded-Host "";$/m],
  ['a token that is longer than 8 KiB', /^ *large_client_header_buffers 4 16k;$/m],
  ['a redirect of the console with a long address', /^ *proxy_buffer_size 8k;$/m],
  ['no request on a connection that a change of replicas closes', /^ {2}keepalive_timeout 0;$/m],
])('makes nginx accept %s', (_what, directive) => {
  expect(read('infra/nginx/nginx.conf')).toMatch(directive);
});

it('has the secrets of the scene', () => {
  expect(secret('mock-idp-admin-key')).toBe(scene.IDP_ADMIN_KEY);
  expect(secret('connector-encryption-keys')).toBe(scene.CONNECTOR_ENCRYPTION_KEYS);
  expect(secret('tool-hub-at-idp')).toBe(scene.IDP_CLIENTS.hub.secret);
  expect(secret('management-api-at-idp')).toBe(scene.IDP_CLIENTS.managementApi.secret);
  expect(secret('console-at-idp')).toBe(scene.IDP_CLIENTS.console.secret);
  expect(secret('reference-mcp-server-at-idp')).toBe(scene.IDP_CLIENTS.toolServer.secret);
  expect(secret('reference-mcp-server-at-hub')).toBe(scene.TRANSACTION_CLIENT.secret);
});

it('names its secrets so that every service refuses them in production', () => {
  const opaque = Object.keys(secrets).filter((name) => !/-keys$/.test(name));
  expect(opaque.filter((name) => !/(^|[-:])dev(elopment)?-/.test(secret(name)))).toEqual([]);
  for (const name of ['mock-idp', 'tool-hub', 'reference-mcp-server'])
    expect(secret(`${name}-signing-keys`)).toContain(`"kid": "development-${name}"`);
});
