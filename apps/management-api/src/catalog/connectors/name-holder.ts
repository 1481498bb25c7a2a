import { Problem } from '@legate/service';
import type { Request, Response } from 'express';
import { organizationOf, roleOf } from '../../callers/admission/admission.ts';
import { callerOf } from '../../callers/authentication/caller-of-request.ts';
import { problem } from '../../domain/problem-codes.ts';
import { scopesFor } from '../../domain/rights.ts';
import type { Operation } from '../../http/api/operation.ts';
import type { ConnectorStore, Holder, Refused } from './store.ts';

/**
 * Returns a function that makes an operation name the connector that has the resource, when it refuses a second one, to
 * callers who may read connectors. It is looked up afterwards, because the refusal by the index ends the transaction.
 */
export const namesHolder =
  (findHolder: ConnectorStore['findHolder']) =>
  (declared: Operation): Operation => ({
    ...declared,
    async run(req, res, runtime) {
      try {
        await declared.run(req, res, runtime);
      } catch (err) {
        const isTaken = err instanceof Problem && err.code === 'resource_already_registered';
        const holder =
          isTaken && mayRead(res) ? await findHolder(organizationOf(res).id, refusedBy(req)) : undefined;
        throw holder ? taken(holder) : err;
      }
    },
  });

const mayRead = (res: Response): boolean =>
  scopesFor(roleOf(res), callerOf(res).scope).includes('connectors:read');

function refusedBy({ body, params }: Request): Refused {
  const sent: unknown = typeof body === 'object' && body !== null && Reflect.get(body, 'resource_url');
  const id = params.connector_id;
  return { resourceUrl: typeof sent === 'string' ? sent : null, id: typeof id === 'string' ? id : null };
}

const taken = ({ id, name }: Holder): Problem =>
  problem('resource_already_registered', {
    detail: `The connector ${name} (${id}) has this resource_url.`,
    extensions: { connector: { id, name } },
  });
