import { servicePages } from '@legate/service';
import type { Router } from 'express';
import { PROBLEMS } from '../domain/problem-codes.ts';

/** Serves the pages that describe the errors. @param publicUrl URL of the console */
export const frontPages = (publicUrl: string): Router =>
  servicePages({
    name: 'console',
    summary: 'The web console, and its backend, which keeps the tokens of signed-in users on the server.',
    documents: {},
    problems: PROBLEMS,
    url: publicUrl,
  });
