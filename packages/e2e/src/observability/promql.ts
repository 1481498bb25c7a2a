import { parser } from '@prometheus-io/lezer-promql';

/** The metrics and labels that a query uses. */
export interface ParsedQuery {
  readonly selectors: readonly Selector[];
  /** Labels used for grouping or joining */
  readonly groupings: readonly string[];
}

export interface Selector {
  readonly metric: string;
  readonly matchers: readonly { readonly label: string; readonly op: string; readonly value: string }[];
}

/** @throws {Error} if the text is not PromQL */
export function parseQuery(query: string): ParsedQuery {
  const selectors: { metric: string; matchers: { label: string; op: string; value: string }[] }[] = [];
  const groupings: string[] = [];
  parser.parse(query).iterate({
    enter(node) {
      const text = query.slice(node.from, node.to);
      if (node.type.isError) throw new Error(`no PromQL at ${node.from}: ${query}`);
      if (node.name === 'VectorSelector') selectors.push({ metric: '', matchers: [] });
      const selector = selectors.at(-1);
      if (node.name === 'Identifier' && selector) selector.metric = text;
      if (node.name === 'UnquotedLabelMatcher' && selector) {
        const [, label = '', op = '', value = ''] = /^(\w+)\s*(=~|!~|!=|=)\s*["'](.*)["']$/s.exec(text) ?? [];
        selector.matchers.push({ label, op, value });
      }
      if (node.name === 'LabelName' && node.node.parent?.name === 'GroupingLabels') groupings.push(text);
    },
  });
  return { selectors, groupings };
}
