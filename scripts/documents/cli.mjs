#!/usr/bin/env node
// Writes docs/reference/cli.md from the commands of packages/cli, as they were built; a test there compares it.
import { writeFileSync } from 'node:fs';
import { cliReference } from '../../packages/cli/dist/index.js';

writeFileSync(new URL('../../docs/reference/cli.md', import.meta.url), cliReference());
