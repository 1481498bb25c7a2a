import { generate } from '../../contract/src/generate.js';

/** Tests need no build, so what a build makes beside the sources is made here. */
export default async function setUp() {
  await generate();
}
