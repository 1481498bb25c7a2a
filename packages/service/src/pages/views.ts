import { Eta } from 'eta';

/** Renders eta templates by name. `<%= … %>` escapes for text and for quoted attributes. */
export interface Views {
  /** @param data is `it` in the template */
  render(name: string, data: object): string;
}

/**
 * The common shell around the `<body>` of all pages: `layout('@shell')`. A page sets `titleBar`, and either `style`, an
 * inline style sheet, or `stylesheet`, the address of one. `refreshSeconds` reloads it after that time.
 */
const SHELL = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<% if (it.refreshSeconds) { %>
<meta http-equiv="refresh" content="<%= it.refreshSeconds %>">
<% } %>
<title><%= it.titleBar %></title>
<link rel="icon" href="data:,">
<% if (it.stylesheet) { %>
<link rel="stylesheet" href="<%= it.stylesheet %>">
<% } else { %>
<style><%~ it.style %></style>
<% } %>
</head>
<body>
<%~ it.body %>
</body>
</html>
`;

/** @param templates by name; one of them is the layout of another by `layout('@name')` */
export const createViews = (templates: Readonly<Record<string, string>>): Views =>
  viewsOf(new Eta(), { ...templates, shell: SHELL });

/** Loads the templates of a directory, `{name}.eta`; each is read when it is first used. */
export const createViewsIn = (directory: string): Views =>
  viewsOf(new Eta({ views: directory, cache: true }), { shell: SHELL }, (name) => name);

function viewsOf(
  eta: Eta,
  templates: Readonly<Record<string, string>>,
  nameOf = (name: string): string => `@${name}`,
): Views {
  for (const [name, text] of Object.entries(templates)) eta.loadTemplate(`@${name}`, text);
  return { render: (name, data) => eta.render(nameOf(name), data) };
}
