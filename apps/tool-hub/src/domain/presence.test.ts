import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { sessionEnded } from '../refusals/sign-in-problems.ts';
import { Presence } from './presence.ts';

const responseOf = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));

it('a caller leaves when the connection breaks before the whole response is sent', () => {
  const res = responseOf();
  const presence = Presence.of(res);
  let times = 0;
  presence.onLeave(() => {
    times += 1;
  });
  expect(presence.hasLeft).toBe(false);
  res.emit('close');
  expect([presence.hasLeft, times]).toEqual([true, 1]);
  presence.leave();
  expect([presence.hasLeft, times]).toEqual([true, 1]);
});

it('a caller whose connection broke before the check has left', () => {
  const res = responseOf();
  res.destroy();
  expect(Presence.of(res).hasLeft).toBe(true);
});

it('a caller who received the whole response does not leave', () => {
  const res = Object.defineProperty(responseOf(), 'writableFinished', { value: true });
  const presence = Presence.of(res);
  res.emit('close');
  expect(presence.hasLeft).toBe(false);
});

it('a caller who has left is not cut off', () => {
  const presence = Presence.of(responseOf());
  presence.leave();
  presence.cut(sessionEnded());
  expect(presence.cutBy).toBeUndefined();
});
