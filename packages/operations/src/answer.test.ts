import { Readable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { PageText } from '@legate/pagination';
import express from 'express';
import request from 'supertest';
import { type Answer, createSend, JsonText } from './answer.ts';
import type { SuccessResponses } from './declaration.ts';

const RESPONSES: SuccessResponses = {
  200: { description: 'JSON' },
  201: { description: 'A page', mediaType: 'text/html' },
  204: { description: 'Nothing' },
};
const JSON_TYPE = 'application/json; charset=utf-8';

const send = (answer: Answer, method: 'get' | 'head' = 'get') => {
  const sendAnswer = createSend(RESPONSES);
  return request(express().use((_req, res) => void sendAnswer(res, answer)))[method]('/');
};

it.each<[string, Answer, string | undefined, string]>([
  ['a value as JSON', { status: 200, body: { a: 1 } }, JSON_TYPE, '{"a":1}'],
  ['JSON as it was written', { status: 200, body: new JsonText('{"a" : 1}') }, JSON_TYPE, '{"a" : 1}'],
  ['text in the declared media type', { status: 201, body: '<p>' }, 'text/html; charset=utf-8', '<p>'],
  ['no body', { status: 204 }, undefined, ''],
])('sends %s', async (_case, answer, type, text) => {
  const res = await send(answer);
  expect([res.status, res.get('Content-Type'), res.text]).toEqual([answer.status, type, text]);
});

it('sends a page of JSON text from a database', async () => {
  const page = new PageText('[1]', { count: 1, total: 1, isCut: false }, { limit: 20, offset: 0 });
  expect((await send({ status: 200, body: page })).body).toMatchObject({ data: [1] });
});

it('sends headers', async () => {
  expect((await send({ status: 200, headers: { ETag: '"1"' }, body: {} })).get('ETag')).toBe('"1"');
});

it('sends a stream, but does not read it for HEAD', async () => {
  const headers = { 'Content-Type': 'text/plain' };
  expect((await send({ status: 200, headers, body: Readable.from(['a', 'b']) })).text).toBe('ab');
  const body = Readable.from(['a']);
  expect((await send({ status: 200, headers, body }, 'head')).status).toBe(200);
  expect(body.destroyed).toBe(true);
});
