import { setTimeout } from 'node:timers/promises';
import { it } from '@jest/globals';
import { expectCleanThenMakeMess } from './clean-and-mess.ts';

expectCleanThenMakeMess();

it('has the timeout of the configuration, not that of another file', () => setTimeout(10));
