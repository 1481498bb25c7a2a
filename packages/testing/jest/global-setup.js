import { generate } from '../../contract/src/generate.js';

/** Tests need no build, so files that a build generates beside the sources are generated here. */
export default async function setUp() {
  await generate();
}
