import { Eta } from 'eta';

/** Renders templates of eta by name. What they write with `<%= … %>` is escaped for text and for quoted attributes. */
export interface Views {
  /** @param data is `it` in the template */
  render(name: string, data: object): string;
}

/** @param templates by name; one of them is the layout of another by `layout('@name')` */
export function createViews(templates: Readonly<Record<string, string>>): Views {
  const eta = new Eta();
  for (const [name, text] of Object.entries(templates)) eta.loadTemplate(`@${name}`, text);
  return { render: (name, data) => eta.render(`@${name}`, data) };
}

/** The templates of a directory, `{name}.eta`, each read when it is first used. */
export function createViewsIn(directory: string): Views {
  const eta = new Eta({ views: directory, cache: true });
  return { render: (name, data) => eta.render(name, data) };
}
