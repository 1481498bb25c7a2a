import express from 'express';
import request from 'supertest';
import { createToolServer, type ToolServerOptions } from '../index.ts';
import { openScene } from './index.ts';

export * from './index.ts';

/** An Express server with what the package adds, and one route that needs an access token. */
export async function createScene(change: Partial<ToolServerOptions> = {}) {
  const lines: string[] = [];
  const log = (fields: object, message: string) =>
    void lines.push(JSON.stringify([message, fields], withCauses));
  const scene = await openScene((given) => {
    const toolServer = createToolServer({
      scopes: ['mcp:tools:read', 'mcp:tools:call'],
      log: { info: log, error: log },
      ...given,
      ...change,
      signingKeys: given.signingKeys,
    });
    const app = express();
    app.use(toolServer.router);
    app.post('/mcp', toolServer.requireAccessToken(), (_req, res) => void res.json({}));
    return { app };
  }, change);

  /** A request that the gate lets pass, or not. */
  const present = (token: string | undefined) =>
    request(scene.app)
      .post('/mcp')
      .set(token === undefined ? {} : { Authorization: `Bearer ${token}` });

  return { ...scene, lines, present };
}

/** Errors are logged with all that they know: none of it may be a token or a secret. */
const withCauses = (_key: string, value: unknown): unknown =>
  value instanceof Error ? { stack: value.stack, cause: value.cause } : value;

export type Scene = Awaited<ReturnType<typeof createScene>>;
