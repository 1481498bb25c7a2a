import { afterAll, beforeAll } from '@jest/globals';
import { describeAgents } from './agents.ts';
import { describeDelegation } from './delegation.ts';
import { type Deployment, openDeployment } from './deployment.ts';
import { describeDoors } from './doors.ts';
import { describeRefusals } from './refusals.ts';
import { describeSignIn } from './sign-in.ts';
import { describeSites } from './sites.ts';

/** What any deployment must do, whoever runs it and however many of each there are: `npm run e2e`. */

let opened: Deployment | undefined;

beforeAll(async () => {
  opened = await openDeployment(process.env);
}, 90_000);
afterAll(() => opened?.close(), 60_000);

const deployment = (): Deployment => {
  if (!opened) throw new Error('the deployment is not there');
  return opened;
};

describeDoors(deployment);
describeSignIn(deployment);
describeDelegation(deployment);
describeAgents(deployment);
describeSites(deployment);
describeRefusals(deployment);
