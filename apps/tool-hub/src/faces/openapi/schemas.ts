import { CHECKS } from '@legate/doctor';
import { pageOf } from '@legate/pagination';
import { z } from 'zod';
import { ConnectBody } from '../accounts/routes.ts';
import { OpenRequest } from '../api/session-routes.ts';
import { AddressBody } from '../doctor/address-doctor.ts';
import { ExamineBody } from '../doctor/routes.ts';

/** Each becomes a component of the document, by its name here. */
const named = <Schema extends z.ZodType>(id: string, schema: Schema): Schema => schema.meta({ id });

const Connector = named(
  'Connector',
  z.strictObject({
    id: z.string(),
    slug: z.string().describe('Short name, in front of the names of its tools at `/mcp`'),
    name: z.string(),
    resource: z.string().describe('Resource identifier of the tool server'),
    auth_method: z.string(),
    scopes: z.array(z.string()),
  }),
);

const Tool = named(
  'Tool',
  z
    .looseObject({
      name: z.string().describe('At its tool server'),
      mcp_name: z.string().optional().describe('At `/mcp`. Absent: it can have none there'),
      title: z.string().optional(),
      description: z.string().optional(),
      inputSchema: z.unknown().optional().describe('JSON Schema of its arguments'),
      _meta: z
        .looseObject({
          'legate/approval': z
            .enum(['required', 'not-required'])
            .optional()
            .describe('Whether the user is to be asked before a call. Absent: no agent is named'),
        })
        .optional(),
    })
    .describe('As its tool server describes it: untrusted'),
);

const Check = named(
  'Check',
  z.strictObject({
    check: z.enum(CHECKS),
    status: z.enum(['ok', 'warn', 'fail', 'skipped']),
    detail: z.string().optional(),
    remedy: z.string().nullable().optional(),
    evidence: z.record(z.string(), z.unknown()).optional(),
  }),
);

const Connection = {
  connected: z.boolean(),
  scopes: z.array(z.string()),
  expires_at: z.iso.datetime().nullable(),
};

const Report = {
  examined_at: z.iso.datetime(),
  status: z.enum(['ok', 'warn', 'fail']),
  first_fault: Check.nullable(),
  checks: z.array(Check),
};

const Members = z.record(z.string(), z.unknown()).nullable();
const ExaminedToken = named(
  'ExaminedToken',
  z.strictObject({
    leg: z.enum(['id_token', 'id_jag', 'access_token']),
    endpoint: z.string().nullable().describe('Where it was obtained'),
    header: Members.describe('Null for a token that is no JWT'),
    claims: Members.describe('What identifies the token (`jti`, `nonce`, …) is hashed'),
    scopes: z.array(z.string()).nullable(),
    expires_at: z.iso.datetime().nullable(),
  }),
);

export const RESPONSES = {
  connectors: pageOf(Connector),
  tools: z.strictObject({ tools: z.array(Tool) }),
  result: named(
    'CallToolResult',
    z
      .looseObject({
        content: z.array(z.looseObject({ type: z.string() })).optional(),
        structuredContent: z.unknown().optional(),
        isError: z.boolean().optional().describe('The tool ran, and says that it failed'),
      })
      .describe('As MCP has it, and as the tool server wrote it'),
  ),
  link: z.strictObject({
    authorize_url: z.url().describe('For the browser of this user: works once, within two minutes'),
    expires_at: z.iso.datetime(),
  }),
  connection: z.strictObject(Connection),
  connections: pageOf(
    named(
      'ConnectedAccount',
      z.strictObject({
        connector_id: z.string(),
        name: z.string(),
        resource: z.string().describe('Resource identifier of the tool server'),
        ...Connection,
      }),
    ),
  ),
  report: named(
    'DoctorReport',
    z.strictObject({
      connector_id: z.string(),
      ...Report,
      legs: z
        .array(ExaminedToken)
        .optional()
        .describe('Tokens of this run in their order, as far as it came; with `legs: true`'),
    }),
  ),
  addressReport: named(
    'AddressReport',
    z.strictObject({ resource_url: z.string(), ...Report }).describe('Without the checks that need a user'),
  ),
  rules: z.strictObject({
    rules: z.array(
      named(
        'Rule',
        z.strictObject({
          leg: z.string().describe('The part that decides: stable'),
          rule: z.string().describe('Unique within its leg: stable'),
          outcome: z.string(),
          summary: z.string().describe('What happened, for people'),
          remedy: z.string().describe('What helps, and who can do it'),
        }),
      ),
    ),
  }),
  sessions: pageOf(
    named(
      'Session',
      z.strictObject({
        id: z.string().describe('Names the session; not its handle'),
        client_id: z.string().describe('The application, or the MCP client'),
        agent_id: z.string().nullable(),
        opened_at: z.iso.datetime(),
        last_used_at: z.iso.datetime().describe('May be behind by a tenth of the idle time'),
        expires_at: z.iso.datetime(),
        renewable: z.boolean().describe('The hub renews its ID token'),
        current: z.boolean().describe('The request came in it'),
      }),
    ),
  ),
  explanation: named(
    'Explanation',
    z.strictObject({
      call_id: z.string(),
      occurred_at: z.iso.datetime(),
      organization_id: z.string(),
      user_id: z.string(),
      agent_id: z.string().nullable(),
      connector_id: z.string().nullable(),
      tool: z.string().nullable(),
      outcome: z.string(),
      leg: z.string().describe('The part that decided: stable'),
      rule: z.string().describe('By which rule: stable'),
      summary: z.string().describe('What happened, for people'),
      remedy: z.string().describe('What helps, and who can do it'),
      doctor: z.string().nullable().describe('Path at which an administrator examines the connector'),
      reason: z.string().nullable(),
      method: z.string().nullable(),
      cache: z.string().nullable(),
      request_id: z.string().nullable(),
      trace_id: z.string().nullable(),
      caller_request_id: z.string().nullable(),
      caller_trace_id: z.string().nullable(),
      durations: z.record(z.string(), z.number()),
    }),
  ),
  session: z.strictObject({
    session: z.string().describe('The handle: a bearer token in place of the ID token'),
    expires_at: z.iso.datetime(),
    agent_id: z.string().optional(),
  }),
  clients: pageOf(
    named(
      'AllowedClient',
      z.strictObject({
        client_id: z.string(),
        name: z.string().nullable(),
        agent_id: z.string().nullable(),
        resources: z.array(z.string()),
        sessions: z.int(),
        allowed_at: z.iso.datetime(),
        expires_at: z.iso.datetime(),
      }),
    ),
  ),
  document: z.looseObject({ openapi: z.string() }),
} as const;

export const BODIES = {
  call: z.strictObject({
    arguments: z.record(z.string(), z.unknown()).optional().describe('At most 64 levels deep'),
  }),
  address: AddressBody,
  connect: ConnectBody,
  examine: ExamineBody,
  session: OpenRequest,
} as const;
