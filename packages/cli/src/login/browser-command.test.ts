import { expect, it } from '@jest/globals';
import { browserCommand } from './browser-command.ts';

const URL_ = 'https://idp.example/authorize?a=1&b=$(touch x)';

it.each<[NodeJS.Platform, NodeJS.ProcessEnv, readonly string[] | undefined]>([
  ['darwin', {}, ['open', URL_]],
  ['win32', {}, ['rundll32', 'url.dll,FileProtocolHandler', URL_]],
  ['linux', { DISPLAY: ':0' }, ['xdg-open', URL_]],
  ['linux', { WAYLAND_DISPLAY: 'w' }, ['xdg-open', URL_]],
  ['linux', {}, undefined],
])('on %s passes the URL as one argument, with the environment %j', (platform, env, command) => {
  expect(browserCommand(URL_, platform, env)).toEqual(command);
});
