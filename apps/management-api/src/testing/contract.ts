import type { IncomingMessage, ServerResponse } from 'node:http';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

interface DescribedResponse {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: AnySchema }>>;
}
export interface DescribedOperation {
  readonly operationId: string;
  readonly security: readonly unknown[];
  readonly parameters: readonly {
    readonly name?: string;
    readonly in?: string;
    readonly required?: boolean;
  }[];
  readonly requestBody?: { readonly required: boolean };
  readonly responses: Readonly<Record<string, DescribedResponse | { readonly $ref: string }>>;
}
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, DescribedResponse>> };
}

/** A response as it was sent. */
interface Sent {
  readonly method: string;
  /** Path of the request, without the query */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

export interface Contract {
  /** Checks the response to a request when it is sent. */
  watch(req: IncomingMessage, res: ServerResponse): void;
  /** Returns the mismatches with the document since the last call. */
  takeFaults(): string[];
  /** Ids of the operations that have returned a success or a redirect. */
  readonly succeeded: ReadonlySet<string>;
}

/** Headers for transport, browsers and caches: any response may have them, and no client depends on them. */
const NOT_OF_THE_API = new Set([
  'access-control-allow-credentials',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'cache-control',
  'connection',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'origin-agent-cluster',
  'referrer-policy',
  'set-cookie',
  'strict-transport-security',
  'vary',
  'x-content-type-options',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
]);
/**
 * Statuses of requests that the document does not describe: unknown path, method or version, or refused
 * before routing.
 */
const UNDESCRIBED = [400, 401, 403, 404, 405, 429, 503];

/**
 * Validators by the text of their document: most tests use the same document, and its schemas take long to
 * compile.
 */
const validators = new Map<string, Ajv2020>();

function validatorOf(document: ApiDocument): Ajv2020 {
  const text = JSON.stringify(document);
  const known = validators.get(text);
  if (known) return known;
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true, validateFormats: true }));
  ajv.addSchema(document as unknown as AnySchema, 'api');
  validators.set(text, ajv);
  return ajv;
}

/** Compares every response below `/api` with the document: its status, headers, media type and body. */
export function createContract(document: ApiDocument): Contract {
  const ajv = validatorOf(document);
  const templates = templatesOf(document);
  let faults: string[] = [];
  const succeeded = new Set<string>();

  function faultsOf(sent: Sent): string[] {
    const template = templates.find(({ pattern }) => pattern.test(sent.path));
    const found = findOperation(template, sent);
    if (!found) return faultsOfUndescribed(sent, template);
    const { operation, pointer } = found;
    if (sent.status < 400) succeeded.add(operation.operationId);
    const described = operation.responses[String(sent.status)];
    if (!described) return [`status ${sent.status} is not described: ${sent.body}`];
    const [response, at] =
      '$ref' in described
        ? [resolve(described.$ref), described.$ref.slice(1)]
        : [described, `${pointer}/responses/${sent.status}`];
    return [
      ...undeclaredHeaders(sent, response),
      ...missingHeaders(sent, response),
      ...faultsOfBody(sent, response, at),
    ];
  }

  function resolve(ref: string): DescribedResponse {
    const response = document.components.responses[ref.replace('#/components/responses/', '')];
    if (!response) throw new Error(`no ${ref}`);
    return response;
  }

  function faultsOfBody(sent: Sent, { content }: DescribedResponse, at: string): string[] {
    if (sent.method === 'HEAD') return [];
    if (!content) return sent.body === '' ? [] : ['a body is not described'];
    const mediaType = String(sent.headers['content-type']).split(';')[0] ?? '';
    if (!content[mediaType]) return [`media type ${mediaType} is not described`];
    if (!/^application\/(problem\+)?json$/.test(mediaType)) return [];
    return invalid(`api#${at}/content/${toPointerSegment(mediaType)}/schema`, sent.body);
  }

  function invalid(ref: string, body: string): string[] {
    const validate = ajv.getSchema(ref) ?? ajv.compile({ $ref: ref });
    if (validate(JSON.parse(body))) return [];
    return [`${ajv.errorsText(validate.errors)} in ${body}`];
  }

  function faultsOfUndescribed(sent: Sent, template: Template | undefined): string[] {
    if (!UNDESCRIBED.includes(sent.status))
      return [`the operation is not described, and answers ${sent.status}`];
    const allow = allowedMethods(template);
    return [
      ...(sent.status === 405 && sent.headers.allow !== allow
        ? [`Allow: ${sent.headers.allow}, not ${allow}`]
        : []),
      ...(sent.method === 'HEAD' ? [] : invalid('api#/components/schemas/Problem', sent.body)),
    ];
  }

  return {
    watch(req, res) {
      const chunks: Buffer[] = [];
      const keep = (chunk: unknown) => {
        if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
      };
      const { write, end } = res;
      res.write = ((...args: Parameters<typeof write>) => {
        keep(args[0]);
        return write.apply(res, args);
      }) as typeof write;
      res.end = ((...args: Parameters<typeof end>) => {
        keep(args[0]);
        const method = req.method ?? '';
        const path = decodedPath(req);
        if (path !== undefined && method !== 'OPTIONS') {
          const body = Buffer.concat(chunks).toString('utf8');
          const sent = { method, path, status: res.statusCode, headers: res.getHeaders(), body };
          faults.push(...faultsOf(sent).map((fault) => `${method} ${path}: ${fault}`));
        }
        return end.apply(res, args);
      }) as typeof end;
    },
    takeFaults() {
      const taken = faults;
      faults = [];
      return taken;
    },
    succeeded,
  };
}

const toPointerSegment = (text: string): string =>
  encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Path relative to the API, as in the document; undefined for pages and files, which are not part of the API. */
function decodedPath(req: IncomingMessage): string | undefined {
  const { url = '' } = Object.hasOwn(req, 'originalUrl') ? { url: Reflect.get(req, 'originalUrl') } : req;
  const [, path] = /^\/api(?:\/v1)?(\/[^?]*?)\/?(?:\?.*)?$/i.exec(String(url)) ?? [];
  return path?.startsWith('/docs/') ? undefined : path;
}

interface Template {
  readonly path: string;
  readonly pattern: RegExp;
  readonly methods: Readonly<Record<string, DescribedOperation>>;
}

/** Literal paths first: `/things/{id}` must not match `/things/new`. */
const templatesOf = (document: ApiDocument): Template[] =>
  Object.entries(document.paths)
    .map(([path, methods]) => ({ path, pattern: toPattern(path), methods }))
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length);

function findOperation(template: Template | undefined, { method }: Sent) {
  const name = method === 'HEAD' ? 'get' : method.toLowerCase();
  const operation = template?.methods[name];
  return operation && { operation, pointer: `/paths/${toPointerSegment(template.path)}/${name}` };
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

function allowedMethods(template: Template | undefined): string {
  const allowed = METHODS.filter((method) => template?.methods[method]).map((method) => method.toUpperCase());
  return allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)).join(', ');
}

const toPattern = (template: string): RegExp =>
  new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`, 'i');

function undeclaredHeaders({ headers }: Sent, { headers: declared = {} }: DescribedResponse): string[] {
  const known = Object.keys(declared).map((name) => name.toLowerCase());
  const unknown = Object.keys(headers).filter((name) => !NOT_OF_THE_API.has(name) && !known.includes(name));
  return unknown.map((name) => `the header ${name} is not described`);
}

/**
 * Headers of only some responses: replays, responses that set a cookie, pages with a next page, changes that
 * are sent to the hub, and those that it has not confirmed.
 */
const SOMETIMES = ['Idempotent-Replayed', 'Set-Cookie', 'Link', 'Legate-Revocation', 'Retry-After'];

/** A success has all described headers; a refusal may be sent before some of them are set. */
function missingHeaders({ status, headers }: Sent, { headers: declared = {} }: DescribedResponse): string[] {
  const expected = status < 400 ? Object.keys(declared) : ['X-Request-Id', 'API-Version'];
  return expected
    .filter((name) => !SOMETIMES.includes(name) && headers[name.toLowerCase()] === undefined)
    .map((name) => `the header ${name} is missing`);
}
