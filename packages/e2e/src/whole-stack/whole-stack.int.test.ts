import { afterAll, beforeAll } from '@jest/globals';
import { type StackUnderTest, startStackUnderTest } from '../stack-under-test.ts';
import { describeCommandLine } from './command-line.ts';
import { describeIdentity } from './identity-travels.ts';
import { describeMachines } from './machines.ts';
import { describeOutages } from './outages.ts';
import { describeRights } from './rights.ts';
import { describeTutorials } from './tutorials.ts';

/**
 * Tests that need the five services with default settings share one stack, since starting it takes longer than the
 * tests. The stack has the embedded stores of `npm start`, regardless of the stores of other suites.
 */

let started: StackUnderTest | undefined;

beforeAll(async () => {
  started = await startStackUnderTest({ stores: 'embedded' });
});
afterAll(() => started?.stop());

const stack = (): StackUnderTest => {
  if (!started) throw new Error('the stack is not there');
  return started;
};

describeCommandLine(stack);
describeIdentity(stack);
describeRights(stack);
describeMachines(stack);
describeTutorials(stack);
describeOutages(stack); // last, because it stops services
