import { expect, it } from '@jest/globals';
import pg from 'pg';
import { connectionFault } from './connection-fault.ts';
import { DatabaseUnavailable } from './errors.ts';

const URL = 'postgres://api:s3cret%21@db.example/legate';

function refusal(code: string): pg.DatabaseError {
  const err = new pg.DatabaseError('text of the server with s3cret!', 0, 'error');
  err.code = code;
  return err;
}
const failure = (code: string): Error => Object.assign(new Error(`connect ${code}`), { code });

it.each([
  ['a wrong password', refusal('28P01'), 'the server refuses the password of the user api'],
  ['an unknown database', refusal('3D000'), 'the server has no database legate'],
  [
    'an unknown role',
    refusal('28000'),
    'the server does not let the user api in (no such role, or no rule in pg_hba.conf)',
  ],
  ['too many connections', refusal('53300'), 'the server has no connection left (max_connections)'],
  ['an unknown host', failure('ENOTFOUND'), 'the host name of db.example:5432 is unknown'],
  ['a refused connection', failure('ECONNREFUSED'), 'nothing accepts connections at db.example:5432'],
  [
    'several refused addresses',
    Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }),
    'nothing accepts connections at db.example:5432',
  ],
  ['a silent server', new Error('timeout expired'), 'db.example:5432 does not answer'],
  [
    'a foreign certificate',
    failure('SELF_SIGNED_CERT_IN_CHAIN'),
    'the certificate of db.example:5432 is not accepted (SELF_SIGNED_CERT_IN_CHAIN)',
  ],
])('reports %s as the cause, without the password', (_case, err, cause) => {
  expect(connectionFault(err, URL)).toBe(cause);
  expect(connectionFault(new DatabaseUnavailable(err), URL)).toBe(cause);
});

it.each([
  ['a fault of a statement', refusal('42601')],
  ['a fault of ours', new TypeError('x is undefined')],
  ['what is no error', 'text'],
])('returns nothing for %s', (_case, err) => {
  expect(connectionFault(err, URL)).toBeUndefined();
});
