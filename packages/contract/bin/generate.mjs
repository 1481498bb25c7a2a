#!/usr/bin/env node
// Makes the types of the OpenAPI documents where they are missing or out of date. Builds, tests and lint run it first.
import { generate } from '../src/generate.js';

await generate();
