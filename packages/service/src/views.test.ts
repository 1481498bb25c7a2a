import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { createViews, createViewsIn } from './views.ts';

const HOSTILE = `<script>"&'`;

it('escapes what is written into text and attributes, within a layout', () => {
  const views = createViews({
    layout: '<title><%= it.title %></title><%~ it.body %>',
    page: `<% layout('@layout') %><a href="<%= it.title %>"><%= it.title %></a>`,
  });
  const escaped = '&lt;script&gt;&quot;&amp;&#39;';
  expect(views.render('page', { title: HOSTILE })).toBe(
    `<title>${escaped}</title><a href="${escaped}">${escaped}</a>`,
  );
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
