import { z } from 'zod';
import { manifestsOf } from './overlays.ts';
import { containerOf, podsOf } from './workloads.ts';

const Labels = z.record(z.string(), z.string());
/** Strict, because an unknown selector would count as one that selects everything. */
const Selector = z.strictObject({
  matchLabels: Labels.default({}),
  matchExpressions: z
    .array(z.strictObject({ key: z.string(), operator: z.literal('In'), values: z.array(z.string()) }))
    .default([]),
});
type Selector = z.output<typeof Selector>;
const Peer = z.strictObject({
  podSelector: Selector.optional(),
  namespaceSelector: z
    .strictObject({ matchLabels: z.strictObject({ 'kubernetes.io/metadata.name': z.string() }) })
    .optional(),
  ipBlock: z.strictObject({ cidr: z.string(), except: z.array(z.string()).default([]) }).optional(),
});
const Ports = z.array(z.strictObject({ protocol: z.enum(['TCP', 'UDP']), port: z.number() })).min(1);
const Policy = z.looseObject({
  spec: z.strictObject({
    podSelector: Selector,
    policyTypes: z.array(z.enum(['Ingress', 'Egress'])).min(1),
    ingress: z.array(z.strictObject({ from: z.array(Peer).min(1), ports: Ports })).default([]),
    egress: z.array(z.strictObject({ to: z.array(Peer).min(1), ports: Ports })).default([]),
  }),
});
type Policy = z.output<typeof Policy>['spec'];

const PRIVATE = ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'];
const PRIVATE_IPV6 = ['fc00::/7', 'fe80::/10'];

/**
 * Returns the connections that the NetworkPolicies of these overlays, applied together, allow: between pods, where the
 * egress of one and the ingress of the other must allow it, and between pods and external systems.
 */
export function arrowsOf(...overlays: string[]): { between: string[]; beyond: string[] } {
  const policies = overlays
    .flatMap((overlay) => manifestsOf(overlay))
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .map((manifest) => Policy.parse(manifest).spec);
  requireDefaultDeny(policies);
  const pods = overlays.flatMap((overlay) => [...podsOf(overlay)]);
  const between = new Set<string>();
  const beyond = new Set<string>();

  for (const [name, pod] of pods) {
    const { labels } = pod.metadata;
    const own = policies.filter(({ podSelector }) => selects(podSelector, labels));
    for (const { peer, port } of own.flatMap(egressOf)) {
      if (!isOurs(peer)) beyond.add(`${name} -> ${nameOf(peer)}:${port}`);
      for (const [other, target] of pods) {
        if (!isOurs(peer) || !selects(peer.podSelector, target.metadata.labels)) continue;
        if (!containerOf(target).ports.some(({ containerPort }) => containerPort === port)) continue;
        const letsIn = policies
          .filter(({ podSelector }) => selects(podSelector, target.metadata.labels))
          .flatMap(ingressOf)
          .some((rule) => rule.port === port && isOurs(rule.peer) && selects(rule.peer.podSelector, labels));
        if (letsIn) between.add(`${name} -> ${other}:${port}`);
      }
    }
    for (const { peer, port } of own.flatMap(ingressOf)) {
      const listens = containerOf(pod).ports.some(({ containerPort }) => containerPort === port);
      if (listens && !isOurs(peer)) beyond.add(`${nameOf(peer)} -> ${name}:${port}`);
    }
  }
  return { between: [...between].sort(), beyond: [...beyond].sort() };
}

type Peer = z.output<typeof Peer>;
const flat = (rules: readonly { peers: readonly Peer[]; ports: z.output<typeof Ports> }[]) =>
  rules.flatMap(({ peers, ports }) => peers.flatMap((peer) => ports.map(({ port }) => ({ peer, port }))));
const ingressOf = ({ ingress }: Policy) => flat(ingress.map(({ from, ports }) => ({ peers: from, ports })));
const egressOf = ({ egress }: Policy) => flat(egress.map(({ to, ports }) => ({ peers: to, ports })));

const isOurs = (peer: Peer): peer is Peer & { podSelector: Selector } =>
  peer.podSelector !== undefined && peer.namespaceSelector === undefined && peer.ipBlock === undefined;

function selects({ matchLabels, matchExpressions }: Selector, labels: Record<string, string>): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''))
  );
}

function nameOf({ podSelector, namespaceSelector, ipBlock }: Peer): string {
  if (ipBlock) {
    const hidden = ipBlock.cidr === '::/0' ? PRIVATE_IPV6 : ipBlock.cidr === '0.0.0.0/0' ? PRIVATE : [];
    if (ipBlock.except.join() !== hidden.join()) throw new Error(`${ipBlock.cidr} with other exceptions`);
    return hidden.length > 0 ? '(internet)' : ipBlock.cidr;
  }
  const namespace = namespaceSelector?.matchLabels['kubernetes.io/metadata.name'];
  const names = Object.values(podSelector?.matchLabels ?? {});
  return [namespace, ...names].join('/');
}

/** Requires a policy that denies everything by default: without it, a pod without a policy would be open. */
function requireDefaultDeny(policies: readonly Policy[]): void {
  const isDefaultDeny = ({ podSelector, policyTypes, ingress, egress }: Policy) =>
    selects(podSelector, {}) && policyTypes.length === 2 && ingress.length === 0 && egress.length === 0;
  if (!policies.some(isDefaultDeny)) throw new Error('what no policy allows is not denied');
}
