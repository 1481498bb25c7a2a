import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { createViews, createViewsIn } from './views.ts';

const HOSTILE = `<script>"&'`;

it('escapes values in text and attributes, within a layout', () => {
  const views = createViews({
    layout: '<title><%= it.title %></title><%~ it.body %>',
    page: `<% layout('@layout') %><a href="<%= it.title %>"><%= it.title %></a>`,
  });
  const escaped = '&lt;script&gt;&quot;&amp;&#39;';
  expect(views.render('page', { title: HOSTILE })).toBe(
    `<title>${escaped}</title><a href="${escaped}">${escaped}</a>`,
  );
});

it('puts a page into the shell, and escapes its title bar and style sheet', () => {
  const views = createViews({ page: `<% layout('@shell') %><p><%= it.text %></p>` });
  const page = views.render('page', { text: 'Hello', titleBar: HOSTILE, stylesheet: HOSTILE });
  const escaped = '&lt;script&gt;&quot;&amp;&#39;';
  expect(page).toContain(`<title>${escaped}</title>`);
  expect(page).toContain(`<link rel="stylesheet" href="${escaped}">`);
  expect(page).toMatch(/<body>\n<p>Hello<\/p>\s*<\/body>/);
});

it('renders the templates of a directory', () => {
  const directory = mkdtempSync(join(tmpdir(), 'views-'));
  try {
    writeFileSync(join(directory, 'greeting.eta'), 'Hello, <%= it.name %>');
    expect(createViewsIn(directory).render('greeting', { name: HOSTILE })).toBe(
      'Hello, &lt;script&gt;&quot;&amp;&#39;',
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
});
