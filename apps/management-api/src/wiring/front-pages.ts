import { servicePages } from '@legate/service';
import type { Router } from 'express';
import { PROBLEMS } from '../domain/problem-codes.ts';

/** Returns the prefix of problem types: the front pages document each problem there. */
export const problemTypeBaseOf = (resource: string): string => `${resource}/errors`;

/** @param resource where the API is */
export const frontPages = (resource: string): Router =>
  servicePages({
    name: 'management-api',
    summary: 'Manages embedded agents, the sites they are on, and the connectors they use.',
    documents: {
      '/api/v1/docs': 'The API, to read',
      '/api/v1/openapi.json': 'The API, as an OpenAPI document',
    },
    problems: PROBLEMS,
    url: resource,
    typeBase: problemTypeBaseOf(resource),
  });
