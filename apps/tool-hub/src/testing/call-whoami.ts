import type { Express } from 'express';
import request from 'supertest';

/** @returns 200, or status and code of the problem */
export async function callWhoami(app: Express, token: string): Promise<200 | string> {
  const { status, body } = await request(app)
    .post('/api/v1/connectors/con_tools/tools/whoami/call')
    .set('Authorization', `Bearer ${token}`)
    .send({});
  return status === 200 ? 200 : `${status} ${body.code}`;
}
