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

it('reaches no private address unless it is allowed, and names the setting that allows it', async () => {
  const http = createHttpClient();
  for (const host of ['127.0.0.1', 'localhost']) {
    await expect(http.fetch(`http://${host}:9/`)).rejects.toMatchObject({
      cause: new ForbiddenAddress(host, 'OUTBOUND_ALLOW'),
    });
  }
  await http.close();
});
