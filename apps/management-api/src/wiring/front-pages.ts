import { servicePages } from '@legate/service';
import type { Router } from 'express';
import { PROBLEMS } from '../domain/problem-codes.ts';

/**
 * @param resource where the API is
 * @param typeBase what the types of problems begin with, which may be the address of somebody else's documents
 */
export const frontPages = (resource: string, typeBase: string): Router =>
  servicePages({
    name: 'management-api',
    summary: 'Manages embedded agents, the sites they are on, and the connectors they use.',
    documents: {
      '/api/v1/docs': 'The API, to read',
      '/api/v1/openapi.json': 'The API, as an OpenAPI document',
    },
    problems: PROBLEMS,
    url: resource,
    typeBase,
  });
