import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { ROOT, SERVICE_NAMES, urlsOf } from '@legate/dev';

/** Checks of the Dockerfile that `infra/docker/check`, which builds the images, does not cover. */

const dockerfile = readFileSync(`${ROOT}infra/docker/Dockerfile`, 'utf8');
const URLS = urlsOf({
  'management-api': 4000,
  'tool-hub': 4001,
  'mock-idp': 4002,
  'reference-mcp-server': 4003,
  console: 4004,
});

it.each(SERVICE_NAMES)('has a stage of %s, with its port', (service) => {
  const { port } = new URL(URLS[service]);
  expect(dockerfile).toContain(`FROM runtime AS ${service}\nENV PORT=${port}\nEXPOSE ${port} 9464\n`);
});

it('runs a service as a numbered user who is not root, without a shell', () => {
  expect(dockerfile.match(/^USER .*/gm)).toEqual(['USER 1000:1000']);
  expect(dockerfile.match(/^CMD .*/gm)).toEqual(['CMD ["node", "dist/main.js"]']);
});

it('copies into the final stage only the collected files', () => {
  const [, runtime = ''] = dockerfile.split(' AS runtime\n');
  expect(runtime.match(/^(COPY|ADD) .*/gm)).toEqual([
    'COPY --from=dependencies /out /app',
    'COPY --from=built /out /app',
  ]);
});

it('takes the base image by tag from one argument', () => {
  expect(dockerfile).toMatch(/^ARG NODE_IMAGE=node:\d+-slim$/m);
  const bases = dockerfile.match(/^FROM (?!runtime AS )\S+/gm);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of the Dockerfile
  expect(new Set(bases)).toEqual(new Set(['FROM ${NODE_IMAGE}', 'FROM ${APP}']));
});
