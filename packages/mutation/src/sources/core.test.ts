import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { SECURITY_CORE } from './core.ts';
import { sourcesOf, testsOf } from './files.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

it.each(SECURITY_CORE.map((part) => [part.sources.join(', '), part] as const))(
  'finds sources and tests of %s',
  (_sources, part) => {
    expect(sourcesOf(ROOT, part)).not.toEqual([]);
    expect(testsOf(ROOT, part)).not.toEqual([]);
  },
);
