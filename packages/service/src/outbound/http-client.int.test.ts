import { expect, it } from '@jest/globals';
import { createHttpClient, ForbiddenAddress, runInRequest } from '../index.ts';
import { sendJson, startServer } from '../testing/index.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

it('sends the id and the trace of the current request to peers, with fetch and with getJson', async () => {
  const peer = await startServer((req, res) =>
    sendJson(res, 200, [req.headers['x-request-id'], req.headers.traceparent]),
  );
  const http = createHttpClient({ allow: ['loopback'] });
  const trace = { traceId: TRACE, spanId: '00f067aa0ba902b7', isSampled: true };
  try {
    const sent = await runInRequest({ requestId: 'req_1', trace, tracer: undefined }, async () => [
      await (await http.fetch(peer.url)).json(),
      await http.getJson(peer.url),
    ]);
    const expected = ['req_1', expect.stringContaining(TRACE)];
    expect(sent).toEqual([expected, expected]);
    expect(await http.getJson(peer.url)).toEqual([null, null]);
  } finally {
    await http.dispatcher.destroy();
    await peer.stop();
  }
});

it('reaches no private address unless it is allowed', async () => {
  const http = createHttpClient();
  await expect(http.fetch('http://127.0.0.1:9/')).rejects.toMatchObject({
    cause: expect.any(ForbiddenAddress),
  });
  await http.close();
});
