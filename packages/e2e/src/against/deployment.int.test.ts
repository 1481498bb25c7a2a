import { afterAll, beforeAll } from '@jest/globals';
import { describeAgents } from './agents.ts';
import { describeDelegation } from './delegation.ts';
import { type Deployment, openDeployment } from './deployment.ts';
import { describePublicEndpoints } from './public-endpoints.ts';
import { describeRefusals } from './refusals.ts';
import { describeSignIn } from './sign-in.ts';
import { describeSites } from './sites.ts';

/** Tests the requirements for any deployment, with any number of replicas: `npm run e2e`. */

let opened: Deployment | undefined;

beforeAll(async () => {
  opened = await openDeployment(process.env);
});
afterAll(() => opened?.close());

const deployment = (): Deployment => {
  if (!opened) throw new Error('the deployment is not there');
  return opened;
};

describePublicEndpoints(deployment);
describeSignIn(deployment);
describeDelegation(deployment);
describeAgents(deployment);
describeSites(deployment);
describeRefusals(deployment);
