import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { generateClient, generateConsole } from './generate.ts';

const generated = [...(await generateClient()), ...(await generateConsole())];

describe.each(generated.map((each) => [basename(each.file.pathname), each] as const))(
  '%s',
  (_name, { file, text }) => {
    it('is made of the document: `npm run contract` writes it', () => {
      if (process.env.WRITE_CONTRACT === 'true') writeFileSync(file, text);
      expect(readFileSync(file, 'utf8') === text).toBe(true); // a difference would be thousands of lines
    });
  },
);
