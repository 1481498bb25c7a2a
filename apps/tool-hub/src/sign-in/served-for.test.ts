import { expect, it } from '@jest/globals';
import { methodNotAllowed } from '@legate/service';
import { Router } from 'express';
import { forAgents, forUser, requireServedFor } from './served-for.ts';

const nothing = () => {};

it('takes routes that say whom they serve', () => {
  const inner = Router();
  inner.get('/a', forAgents, nothing);
  inner
    .route('/b')
    .get(forAgents, nothing)
    .delete(forUser, nothing)
    .all(methodNotAllowed(['GET', 'DELETE']));
  expect(() => requireServedFor(Router().use(nothing, inner))).not.toThrow();
});

it.each<[string, (router: Router) => void]>([
  ['GET /a does not say whom it serves', (router) => router.get('/a', nothing)],
  [
    'DELETE /a does not say whom it serves',
    (router) => router.route('/a').get(forAgents, nothing).delete(nothing),
  ],
  ['POST /a does not say whom it serves', (router) => router.use(Router().use(Router().post('/a', nothing)))],
])('refuses a route that says nothing: %s', (message, add) => {
  const router = Router();
  add(router);
  expect(() => requireServedFor(Router().use('/api', router))).toThrow(message);
});
