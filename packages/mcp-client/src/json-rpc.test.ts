import { describe, expect, it } from '@jest/globals';
import { readRpcAnswer } from './json-rpc.ts';

const RESULT =
  '{"content":[{"type":"text","text":"a\\u00e9\\"}"}],  "isError":false,"n":[1.0,725653563933458433]}';

it.each([
  ['in front', `{"jsonrpc":"2.0","id":7,"result":${RESULT}}`],
  ['behind', `{"result":${RESULT},"jsonrpc":"2.0","id":7}`],
])('returns the original text of the result with the other members %s of it', (_case, text) => {
  expect(readRpcAnswer(text, 7, 200)).toEqual({ kind: 'result', json: RESULT, result: JSON.parse(RESULT) });
});

it.each([
  ['another order', `{"id":7,"jsonrpc":"2.0","result":${RESULT}}`],
  ['blanks', `{ "jsonrpc": "2.0", "id": 7, "result": ${RESULT} }`],
  ['further members', `{"jsonrpc":"2.0","id":7,"result":${RESULT},"_meta":{}}`],
  ['a member given twice', `{"jsonrpc":"2.0","id":7,"result":{"content":[]},"result":${RESULT}}`],
  ['a text with a line feed', `\r\n{"jsonrpc":"2.0","id":7,"result":${RESULT}}\n`],
  ['an id that is written otherwise', `{"jsonrpc":"2.0","id":7.0,"result":${RESULT}}`],
])('returns the same result for a response with %s', (_case, text) => {
  expect(readRpcAnswer(text, 7, 200)).toEqual({ kind: 'result', json: RESULT, result: JSON.parse(RESULT) });
});

describe('reports as unusable', () => {
  it.each([
    ['nothing', ''],
    ['what is no JSON', '<html>'],
    ['what is JSON only in the middle', `{"jsonrpc":"2.0","id":7,"result":${RESULT}} x`],
    ['a result that is no JSON', '{"jsonrpc":"2.0","id":7,"result":{"content":}}'],
    ['a result that ends too early', '{"jsonrpc":"2.0","id":7,"result":{"content":[]}'],
    ['two objects in the place of one', '{"jsonrpc":"2.0","id":7,"result":{},{}}'],
    ['an array', '[]'],
    ['an answer to another request', `{"jsonrpc":"2.0","id":8,"result":${RESULT}}`],
    ['an answer to no request', `{"jsonrpc":"2.0","result":${RESULT}}`],
    ['a result that is no object', '{"jsonrpc":"2.0","id":7,"result":[1]}'],
    ['a result that is null', '{"jsonrpc":"2.0","id":7,"result":null}'],
    ['a result of a type to come', '{"jsonrpc":"2.0","id":7,"result":{"resultType":"later"}}'],
  ])('%s', (_case, text) => {
    expect(readRpcAnswer(text, 7, 200)).toMatchObject({ kind: 'unusable' });
  });
});

it('distinguishes an input request from a result', () => {
  const result = '{"resultType":"input_required","inputRequests":{}}';
  expect(readRpcAnswer(`{"jsonrpc":"2.0","id":7,"result":${result}}`, 7, 200)).toEqual({
    kind: 'input_required',
    json: result,
    result: JSON.parse(result),
  });
});

it('reports an error with its code', () => {
  const text = '{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"no such tool","data":{}}}';
  expect(readRpcAnswer(text, 7, 200)).toEqual({
    kind: 'error',
    isOurs: true,
    code: -32602,
    message: 'no such tool',
    data: '{}',
    status: 200,
  });
  expect(readRpcAnswer('{"error":{"code":"x"}}', 7, 400)).toEqual({
    kind: 'error',
    isOurs: false,
    code: 0,
    message: '',
    status: 400,
  });
});

it('never quotes unreadable input', () => {
  expect(JSON.stringify(readRpcAnswer('eyJhbGciOi.secret', 7, 200))).not.toContain('eyJ');
});

it.each([
  ['as they were written', '{"n": 12345678901234567890}', '{"n": 12345678901234567890}'],
  ['that are no object', '"text"', '"text"'],
  ['that are null', 'null', 'null'],
  ['of 16 KiB', `"${'x'.repeat(16_382)}"`, `"${'x'.repeat(16_382)}"`],
  ['but none that are larger', `"${'é'.repeat(8192)}"`, undefined],
])('returns the data of an error %s', (_case, data, expected) => {
  const text = `{"jsonrpc":"2.0","id":7,"error":{"code":1,"data": ${data} ,"message":"\\"data\\":1"}}`;
  expect(readRpcAnswer(text, 7, 200)).toMatchObject({ kind: 'error', data: expected });
});
