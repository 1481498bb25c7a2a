import { expect, it } from '@jest/globals';
import { shell } from './shell.ts';

it.each(['constructor', '__proto__', 'toString', '<script>', 'made_up'])(
  'gives a reason of ours for the code %s, which anybody can put into a link',
  (code) => {
    expect(shell.signedOutReason(code)).toBe(shell.signedOutReason('identity_provider_fault'));
  },
);
