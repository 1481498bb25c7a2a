import {
  PrometheusRule,
  ServiceMonitor,
} from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Namespace, Secret, Service, ServiceAccount } from 'kubernetes-models/v1';
import type { Manifest } from './kustomize.ts';

/** Each validates by the JSON schema of Kubernetes' own API description, or of the Prometheus operator's resources. */
const MODELS = [
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  Namespace,
  NetworkPolicy,
  PodDisruptionBudget,
  PrometheusRule,
  Secret,
  Service,
  ServiceAccount,
  ServiceMonitor,
];

/** Returns violations of the schema of the manifest's kind, and unknown fields, such as `/spec/replica`. */
export function schemaFaults(manifest: Manifest): string[] {
  const Model = MODELS.find(
    ({ kind, apiVersion }) => kind === manifest.kind && apiVersion === manifest.apiVersion,
  );
  if (!Model) return [`no schema of ${manifest.apiVersion} ${manifest.kind}`];
  const read = new Set<string>();
  try {
    noting(Object.assign(new Model(), manifest), '', read).validate();
  } catch (err) {
    return [err instanceof Error ? err.message : 'not valid'];
  }
  return paths(manifest, '').filter((path) => !read.has(path));
}

/**
 * Records which members are read. The schemas ignore unknown members, and an API server drops them silently; but a
 * validator reads every member that its schema names.
 */
function noting<Value extends object>(value: Value, path: string, read: Set<string>): Value {
  return new Proxy(value, {
    get(target, key, receiver) {
      const member: unknown = Reflect.get(target, key, receiver);
      if (typeof key === 'symbol') return member;
      read.add(`${path}/${key}`);
      return typeof member === 'object' && member !== null ? noting(member, `${path}/${key}`, read) : member;
    },
  });
}

function paths(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    `${path}/${key}`,
    ...paths(member, `${path}/${key}`),
  ]);
}
