import { servicePages } from '@legate/service';
import type { Router } from 'express';
import { PROBLEMS } from '../domain/problem-codes.ts';

/** The pages of the errors. @param publicUrl where the console is */
export const frontPages = (publicUrl: string): Router =>
  servicePages({
    name: 'console',
    summary: 'The web console, and its backend, which keeps the tokens of signed-in users on the server.',
    documents: {},
    problems: PROBLEMS,
    url: publicUrl,
  });
