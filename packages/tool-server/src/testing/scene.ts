import type { SigningKeys } from '@legate/jwt';
import { openScene } from '@legate/tool-server-testing';
import express from 'express';
import request from 'supertest';
import { legate, requireAccessToken } from '../adapters/express.ts';
import { createToolServer, type ToolServerOptions } from '../index.ts';

export * from '@legate/tool-server-testing';

type Change = Partial<Omit<ToolServerOptions, 'signingKeys'>> & { signingKeys?: SigningKeys };

/** An Express server with the endpoints of this package, and one route that needs an access token. */
export async function createScene(change: Change = {}) {
  const lines: string[] = [];
  const log = (fields: object, message: string) =>
    void lines.push(JSON.stringify([message, fields], withCauses));
  const scene = await openScene(async (given) => {
    const toolServer = await createToolServer({
      scopes: ['mcp:tools:read', 'mcp:tools:call'],
      log: { info: log, warn: log, error: log },
      ...given,
      ...change,
      signingKeys: given.signingKeys,
    });
    const app = express();
    app.use(legate(toolServer));
    app.post('/mcp', requireAccessToken(toolServer), (_req, res) => void res.json({}));
    return { app };
  }, change);

  /** Sends a request to the route behind the gate. */
  const present = (token: string | undefined) =>
    request(scene.app)
      .post('/mcp')
      .set(token === undefined ? {} : { Authorization: `Bearer ${token}` });

  return { ...scene, lines, present };
}

/** Logs errors with stack and cause, so that tests find tokens and secrets in them. */
const withCauses = (_key: string, value: unknown): unknown =>
  value instanceof Error ? { stack: value.stack, cause: value.cause } : value;

export type Scene = Awaited<ReturnType<typeof createScene>>;
