import { servicePages } from '@legate/service';
import type { Router } from 'express';
import { PROBLEMS } from './domain/problem-codes.ts';

/** Returns the prefix of problem types: the front pages document each problem there. */
export const problemTypeBaseOf = (resource: string): string => `${resource}/errors`;

/** @param resource URL of the API */
export const frontPages = (resource: string): Router =>
  servicePages({
    name: 'management-api',
    summary:
      'The API for organizations: members, agents, the sites that embed them, and the connectors that they use.',
    documents: {
      '/api/v1/docs': 'API reference, from which you can send requests',
      '/api/v1/openapi.json': 'OpenAPI document of the API',
    },
    problems: PROBLEMS,
    url: resource,
    typeBase: problemTypeBaseOf(resource),
  });
