import { expect, it } from '@jest/globals';
import type { AuthInfo as AuthInfo1 } from '@modelcontextprotocol/sdk/server/auth/types.js';
import { type AuthInfo as AuthInfo2, createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import type { Request as ExpressRequest } from 'express';
import type { AuthInfoLike, ProtectedHandler, ToolServerAuthInfo } from './index.ts';
import { callerOf, hasScopes } from './index.ts';
import './adapters/express.ts';

// The compiler checks this file; nothing here depends on a value.

it('ToolServerAuthInfo fits the AuthInfo of both versions of the MCP SDK, and callerOf accepts theirs', () => {
  const forSdk1 = (info: ToolServerAuthInfo): AuthInfo1 => info;
  const forSdk2 = (info: ToolServerAuthInfo): AuthInfo2 => info;
  const readers = [
    (info: AuthInfo1 | undefined) => callerOf(info),
    (info: AuthInfo2 | undefined) => callerOf(info),
    (info: AuthInfo1 | AuthInfo2) => hasScopes(info, 'read'),
    (info: AuthInfo1): AuthInfoLike => info,
  ];
  // @ts-expect-error an AuthInfo of the SDK says nothing about our user
  const toOurs = (info: AuthInfo2): ToolServerAuthInfo => info;
  expect([forSdk1, forSdk2, ...readers, toOurs]).toHaveLength(7);
});

it('req.auth has the type that the transports of both versions expect', () => {
  const forSdk1 = (req: ExpressRequest): AuthInfo1 | undefined => req.auth;
  const forSdk2 = (req: ExpressRequest): AuthInfo2 | undefined => req.auth;
  expect([forSdk1, forSdk2]).toHaveLength(2);
});

it('the handler of SDK 2 is a protected route', () => {
  const handler: ProtectedHandler = createMcpHandler(() => new McpServer({ name: 'n', version: '1' })).fetch;
  expect(handler).toBeInstanceOf(Function);
});
