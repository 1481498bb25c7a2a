import { describe, expect, it, jest } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { mcpCors, rebindingGuard } from './mcp-browsers.ts';

const PAGE = 'https://app.example';

it.each<[string, string | undefined, string | undefined, 'Host' | 'Origin' | undefined]>([
  ['https://tools.example', 'tools.example', undefined, undefined],
  ['https://tools.example', 'TOOLS.example:8443', undefined, undefined],
  ['https://tools.example', 'tools.example', PAGE, undefined],
  ['https://tools.example', 'tools.example', 'https://evil.example', 'Origin'],
  ['https://tools.example', 'tools.example', 'null', 'Origin'],
  ['https://tools.example', 'tools.example', '', 'Origin'],
  ['https://tools.example', 'evil.example', PAGE, 'Host'],
  ['https://tools.example', 'tools.example.evil.example', undefined, 'Host'],
  ['https://tools.example', 'evil.example@tools.example', undefined, 'Host'],
  ['https://tools.example', 'localhost', undefined, 'Host'],
  ['https://tools.example', undefined, undefined, 'Host'],
  ['http://localhost:4001', '127.0.0.1:9000', undefined, undefined],
  ['http://127.0.0.1:4001', '[::1]:4001', undefined, undefined],
  ['http://[::1]:4001', 'localhost', undefined, undefined],
  ['http://localhost:4001', 'localhost.evil.example', undefined, 'Host'],
])('at %s, with Host %s and Origin %s, refuses for: %s', async (publicUrl, host, origin, fault) => {
  const refused: string[] = [];
  const guard = rebindingGuard(publicUrl, [PAGE], (header) => void refused.push(header));
  const passed = jest.fn();
  const headers = { ...(host !== undefined && { host }), ...(origin !== undefined && { origin }) };
  guard(Object.assign(Object.create(express.request), { headers }), Object.create(express.response), passed);
  expect(refused).toEqual(fault ? [fault] : []);
  expect(passed).toHaveBeenCalledTimes(fault ? 0 : 1);
});

describe('a page', () => {
  const app = express()
    .use(mcpCors([PAGE], { methods: ['POST'], allowedHeaders: ['X-Asked'], exposedHeaders: ['X-Answered'] }))
    .post('/', (_req, res) => void res.json({}));

  it('may send the headers of MCP, those of the endpoint, and those that tools choose', async () => {
    const { status, headers } = await request(app)
      .options('/')
      .set('Origin', PAGE)
      .set('Access-Control-Request-Method', 'POST')
      .set('Access-Control-Request-Headers', 'mcp-param-region, x-other');
    expect([status, headers['access-control-allow-methods']]).toEqual([204, 'POST']);
    const allowed = headers['access-control-allow-headers']?.split(',');
    expect(allowed).toEqual(expect.arrayContaining(['Mcp-Name', 'X-Asked', 'mcp-param-region']));
    expect(allowed).not.toContain('x-other');
  });

  it('may read the headers of MCP, and those of the endpoint', async () => {
    const { headers } = await request(app).post('/').set('Origin', PAGE);
    expect(headers['access-control-allow-origin']).toBe(PAGE);
    expect(headers['access-control-expose-headers']?.split(',')).toEqual(
      expect.arrayContaining(['WWW-Authenticate', 'X-Answered']),
    );
  });

  it('has no headers if the client is not a page', async () => {
    const { headers } = await request(app).post('/');
    expect(headers).not.toHaveProperty('vary');
  });
});
