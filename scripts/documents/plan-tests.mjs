// node plan-tests.mjs [argument…]: fails if `npm test -- [argument…]` would find nothing to run.
import { planTests } from '../../packages/testing/command/plan.js';
import { findWorkspaces } from '../../packages/testing/command/workspaces.js';

planTests(process.argv.slice(2), findWorkspaces(), { workers: 1 });
