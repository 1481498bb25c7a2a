/** @returns the nodes of the largest strongly connected component of a graph, given as each node's successors */
export function largestComponent(graph) {
  const reachable = new Map([...graph.keys()].map((node) => [node, reach(graph, node)]));
  const components = [...graph.keys()].map((node) =>
    [...graph.keys()].filter(
      (other) => other === node || (reachable.get(node).has(other) && reachable.get(other).has(node)),
    ),
  );
  return components.reduce(
    (largest, component) => (component.length > largest.length ? component : largest),
    [],
  );
}

function reach(graph, start) {
  const seen = new Set();
  const open = [start];
  for (const node of open)
    for (const next of graph.get(node) ?? [])
      if (!seen.has(next)) {
        seen.add(next);
        open.push(next);
      }
  return seen;
}
