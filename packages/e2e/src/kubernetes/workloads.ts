import { z } from 'zod';
import { type Manifest, manifestsOf } from './overlays.ts';

const Probe = z.looseObject({
  httpGet: z.looseObject({ path: z.string(), port: z.string() }).optional(),
  timeoutSeconds: z.number().default(1),
});
const SecurityContext = z.looseObject({
  privileged: z.boolean().optional(),
  allowPrivilegeEscalation: z.boolean().optional(),
  readOnlyRootFilesystem: z.boolean().optional(),
  runAsUser: z.number().optional(),
  capabilities: z
    .looseObject({ drop: z.array(z.string()).default([]), add: z.array(z.string()).default([]) })
    .optional(),
});
const Container = z.looseObject({
  name: z.string(),
  image: z.string(),
  envFrom: z.array(z.strictObject({ configMapRef: z.strictObject({ name: z.string() }) })).default([]),
  env: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })).default([]),
  ports: z
    .array(z.looseObject({ name: z.string(), containerPort: z.number(), hostPort: z.undefined().optional() }))
    .default([]),
  startupProbe: Probe.optional(),
  livenessProbe: Probe.optional(),
  readinessProbe: Probe.optional(),
  resources: z.looseObject({
    requests: z.looseObject({ cpu: z.string(), memory: z.string() }),
    limits: z.looseObject({ memory: z.string() }),
  }),
  securityContext: SecurityContext,
  volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })).default([]),
});
export type Container = z.output<typeof Container>;

const Pod = z.looseObject({
  metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }),
  spec: z.looseObject({
    automountServiceAccountToken: z.boolean().optional(),
    terminationGracePeriodSeconds: z.number().default(30),
    securityContext: z.looseObject({
      runAsNonRoot: z.boolean().optional(),
      runAsUser: z.number().optional(),
      seccompProfile: z.looseObject({ type: z.string() }).optional(),
    }),
    containers: z.array(Container).length(1), // so that checks of the first container cover all
    initContainers: z.undefined().optional(),
    volumes: z
      .array(
        z.looseObject({
          name: z.string(),
          secret: z.looseObject({ secretName: z.string() }).optional(),
          configMap: z.looseObject({ name: z.string() }).optional(),
          emptyDir: z.looseObject({}).optional(),
        }),
      )
      .default([]),
  }),
});
export type Pod = z.output<typeof Pod>;

const WithPod = z.looseObject({ spec: z.looseObject({ template: Pod }) });

/** The pods of each Deployment and Job, by the name of the Deployment or Job. */
export function podsOf(overlay: string): Map<string, Pod> {
  const running = manifestsOf(overlay).filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
  return new Map(running.map((one) => [one.metadata.name, WithPod.parse(one).spec.template]));
}

export function containerOf({ spec }: Pod): Container {
  return Container.parse(spec.containers[0]);
}

export function manifestOf(overlay: string, kind: string, name: string): Manifest | undefined {
  return manifestsOf(overlay).find((one) => one.kind === kind && one.metadata.name === name);
}
