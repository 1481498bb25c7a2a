import { once } from 'node:events';
import { request as httpRequest, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { eventually } from '@legate/testing';
import express from 'express';
import request from 'supertest';
import { createExpressApp, createHttpServer } from '../index.ts';

let server: Server;
let events: string[];
beforeEach(async () => {
  events = [];
  const app = createExpressApp();
  app.get('/silent/:name', ({ params: { name } }, res) => {
    events.push(`${name} came`);
    res.once('close', () =>
      events.push(`${name} closed${res.destroyed && !res.writableFinished ? '' : ' after its end'}`),
    );
  });
  app.get('/hello', (req, res) => {
    res.cookie('seen', 'yes').json({ query: req.query, ip: typeof req.ip, accepts: req.accepts('json') });
  });
  app.post('/echo', express.json(), (req, res) => void res.status(201).send(req.body));
  const nested = express();
  nested.get('/', (req, res) => void res.json({ nested: req.baseUrl }));
  app.use('/nested', nested);
  server = createHttpServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it("gives handlers all of Express's request and response", async () => {
  const res = await request(server).get('/hello?a=1&b[c]=2');
  expect(res.body).toEqual({ query: { a: '1', 'b[c]': '2' }, ip: 'string', accepts: 'json' });
  expect(res.headers['set-cookie']).toEqual(['seen=yes; Path=/']);
  expect((await request(server).post('/echo').send({ a: 1 })).body).toEqual({ a: 1 });
  expect((await request(server).get('/nested')).body).toEqual({ nested: '/nested' });
});

it("sends neither the framework's name nor an ETag", async () => {
  const { headers } = await request(server).get('/hello');
  expect(headers).not.toHaveProperty('x-powered-by');
  expect(headers).not.toHaveProperty('etag');
});

it('does not replace the prototypes of requests and responses', async () => {
  const switched: unknown[] = [];
  const spy = jest.spyOn(Object, 'setPrototypeOf').mockImplementation((object, prototype) => {
    const isMessage = prototype !== null && 'setTimeout' in prototype;
    if (isMessage && Object.getPrototypeOf(object) !== prototype) switched.push(prototype);
    Reflect.setPrototypeOf(object, prototype);
    return object;
  });
  try {
    await request(server).get('/hello');
    expect(switched).toEqual([]);
    await request(server).get('/nested'); // for a nested application Express does, and the test detects it
    expect(switched).not.toEqual([]);
  } finally {
    spy.mockRestore();
  }
});

it('closes all responses of pipelined requests when their connection breaks, each once', async () => {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  const names = ['first', 'second', 'third'];
  socket.write(names.map((name) => `GET /silent/${name} HTTP/1.1\r\nHost: h\r\n\r\n`).join(''));
  await eventually('three requests', () => events.length === 3);
  socket.destroy();
  await eventually('three closed responses', () => events.length >= 6);
  expect(events.slice(3).sort()).toEqual(['first closed', 'second closed', 'third closed']);
});

it('serves keep-alive, HEAD, and a client that waits for 100 Continue', async () => {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  socket.write(
    'HEAD /hello HTTP/1.1\r\nHost: h\r\n\r\nGET /nested HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n',
  );
  await once(socket, 'close');
  expect(text.match(/^HTTP\/1\.1 200 OK/gm)).toHaveLength(2);
  expect(text).toMatch(/\{"nested":"\/nested"\}$/);

  const req = httpRequest({
    port,
    method: 'POST',
    path: '/echo',
    headers: { Expect: '100-continue', 'Content-Type': 'application/json' },
  });
  req.flushHeaders();
  await once(req, 'continue');
  req.end('{}');
  const [res] = await once(req, 'response');
  expect(res.statusCode).toBe(201);
  res.resume();
});
