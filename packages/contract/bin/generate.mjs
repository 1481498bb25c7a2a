#!/usr/bin/env node
// Generates types from the OpenAPI documents if they are missing or out of date. Builds, tests and lint run this first.
import { generate } from '../src/generate.js';

await generate();
