import { type RequestHandler, Router } from 'express';
import { methodNotAllowed } from '../problems/problem.ts';
import type { ProblemDeclaration, ProblemDeclarations } from '../problems/problem-codes.ts';
import { pageSecurityHeaders } from '../server/security-headers.ts';
import { PAGE_STYLE } from './page-style.ts';
import { createViews } from './views.ts';

/** A service's description for visitors of its address. */
export interface ServiceDescription {
  readonly name: string;
  /** The service's purpose, in a sentence or two */
  readonly summary: string;
  /** Titles of the service's documents, by path */
  readonly documents: Readonly<Record<string, string>>;
  /** All problems that it may return */
  readonly problems: ProblemDeclarations;
  /** The service's URL, for links */
  readonly url: string;
  /** See `problemHandler`. Default: `{url}/errors` */
  readonly typeBase?: string;
}

const COMMON = {
  '/healthz': 'Liveness: the process is running',
  '/readyz': 'Readiness: it can reach what it needs',
  '/errors': 'Errors: what each one means, and what to do',
};

/**
 * Serves `/`, which describes the service and links its documents, and `/errors/{code}`, which explains a problem: its
 * `type` points there (RFC 9457 §3.1.1). HTML for browsers, JSON for other clients. Mount it after all other routes.
 */
export function servicePages(service: ServiceDescription): Router {
  const { name, summary, problems, url } = service;
  const typeBase = service.typeBase ?? `${url}/errors`;
  const documents = { ...service.documents, ...COMMON };
  const links = Object.entries(documents).map(([path, title]) => ({ href: `${url}${path}`, path, title }));
  const codes = Object.entries(problems).sort(([a], [b]) => (a < b ? -1 : 1));

  const views = createViews(TEMPLATES);
  const router = Router();
  const serve = (path: string, handler: RequestHandler) => {
    router
      .route(path)
      .get(handler)
      .all(methodNotAllowed(['GET', 'HEAD']));
  };
  const home = send({
    json: { name, summary, documents: links.map(({ href, title }) => ({ href, title })) },
    html: views.render('home', { title: `Legate ${name}`, style: STYLE, summary, links }),
  });
  const index = send({
    json: { problems: codes.map(([code, problem]) => toJson(typeBase, code, problem)) },
    html: views.render('errors', { title: `Errors of ${name}`, style: STYLE, url, codes }),
  });
  const pages = new Map(
    codes.map(([code, problem]): [string, RequestHandler] => [
      code,
      send({
        json: toJson(typeBase, code, problem),
        html: views.render('error', { ...problem, style: STYLE, url, name, code }),
      }),
    ]),
  );
  serve('/', home);
  serve('/errors', index);
  // One route for all codes: each route is a time series.
  serve('/errors/:code', (req, res, next) => {
    const show = pages.get(String(req.params.code));
    return show ? show(req, res, next) : next('router');
  });
  return router;
}

interface View {
  readonly json: object;
  readonly html: string;
}

const toJson = (typeBase: string, code: string, problem: ProblemDeclaration) => ({
  type: `${typeBase}/${code}`,
  title: problem.title,
  status: problem.status,
  code,
  meaning: problem.meaning,
  remedy: problem.remedy,
});

/** Lists of errors are wider than the common pages, which ask a person one question. */
const STYLE = `${PAGE_STYLE}main { max-width: 44rem; }
`;

const TEMPLATES = {
  layout: `<% layout('@shell', { titleBar: it.title }) %>
<main>
<h1><%= it.title %></h1>
<%~ it.body %>
</main>
`,
  home: `<% layout('@layout') %>
<p><%= it.summary %></p>
<dl>
<% for (const { href, path, title } of it.links) { %>
<dt><a href="<%= href %>"><%= title %></a></dt>
<dd><code><%= path %></code></dd>
<% } %>
</dl>
`,
  errors: `<% layout('@layout') %>
<dl>
<% for (const [code, { status, meaning }] of it.codes) { %>
<dt><a href="<%= it.url %>/errors/<%= code %>"><code><%= code %></code></a> <%= status %></dt>
<dd><%= meaning %></dd>
<% } %>
</dl>
`,
  error: `<% layout('@layout') %>
<p>Status <%= it.status %>, <code><%= it.code %></code></p>
<h2>What it means</h2>
<p><%= it.meaning %></p>
<h2>What to do</h2>
<p><%= it.remedy %></p>
<p><a href="<%= it.url %>/errors">All errors of <%= it.name %></a></p>
`,
};

const securityHeaders = pageSecurityHeaders({ formAction: ["'none'"], inlineStyle: STYLE });

/** Maximum length of `Accept`: browsers send some 150 characters, and parsing takes longer for more. */
const MAX_ACCEPT = 1000;

/** Everything is rendered at start: no page contains data of a request. */
const send =
  ({ json, html }: View): RequestHandler =>
  (req, res, next) => {
    res.vary('Accept').set('Cache-Control', 'public, max-age=3600');
    const { accept = '' } = req.headers;
    const wantsPage = accept.length <= MAX_ACCEPT && req.accepts(['json', 'html']) === 'html';
    if (!wantsPage) return void res.json(json);
    securityHeaders(req, res, (err) => (err ? next(err) : void res.type('html').send(html)));
  };
