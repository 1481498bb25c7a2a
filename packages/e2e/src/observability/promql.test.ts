import { expect, it } from '@jest/globals';
import { parseQuery } from './promql.ts';

it('finds metrics, labels and values anywhere in a query', () => {
  const query = `histogram_quantile(0.9, sum by (service, le) (rate(a_bucket{route!~"/mcp.*",x="y"}[5m])))
    / on (pod) group_left(node) max_over_time(b[1h:5m]) > 2 or vector(0)`;
  expect(parseQuery(query)).toEqual({
    selectors: [
      {
        metric: 'a_bucket',
        matchers: [
          { label: 'route', op: '!~', value: '/mcp.*' },
          { label: 'x', op: '=', value: 'y' },
        ],
      },
      { metric: 'b', matchers: [] },
    ],
    groupings: ['service', 'le', 'pod', 'node'],
  });
});

it.each(['sum by (', 'rate(a[5m]', 'a{b=c}', 'a b'])('refuses %s as a query', (query) => {
  expect(() => parseQuery(query)).toThrow('no PromQL');
});
