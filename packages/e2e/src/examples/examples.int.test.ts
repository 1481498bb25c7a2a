import { afterAll, beforeAll } from '@jest/globals';
import { findFreePort } from '@legate/service/testing';
import { needs } from '@legate/testing';
import { type StackUnderTest, startStackUnderTest } from '../stack-under-test.ts';
import { describeLangGraphAgent } from './agent-langgraph.ts';
import { describeCreateOrg } from './create-org.ts';
import { describeOrganizationAgent } from './organization-agent.ts';
import { describeToolServers } from './tool-servers.ts';
import { describeWebApp } from './web-app.ts';

/** Tests the examples of `examples/`, each as a separate process, with one stack. */

let started: StackUnderTest | undefined;
/** URLs to which onboarding may return */
let portOfApp = 0;

beforeAll(async () => {
  portOfApp = await findFreePort();
  const returnTo = `http://localhost:${portOfApp}/welcome|frontend-app`;
  started = await startStackUnderTest({ env: { 'management-api': { RETURN_TO: returnTo } } });
});
afterAll(() => started?.stop());

const stack = (): StackUnderTest => {
  if (!started) throw new Error('the stack is not there');
  return started;
};

needs('time').describe('an example', () => {
  describeToolServers(stack);
  describeWebApp(stack);
  describeLangGraphAgent(stack);
  describeOrganizationAgent(stack);
  describeCreateOrg(stack, () => portOfApp);
});
