import type { MethodConfiguration, NamedSettings } from '../../domain/method-settings.ts';
import { passthrough } from './facts.ts';

/** Exists only if an administrator has acknowledged that it bypasses audience scoping. */
export interface PassthroughSettings extends NamedSettings {
  readonly method: typeof passthrough.name;
  /** Audiences of callers' tokens that this tool server accepts, besides its own resource identifier */
  readonly acceptedAudiences: readonly string[];
}

export const passthroughConfiguration: MethodConfiguration<PassthroughSettings> = {
  read: ({ passthroughAudiences }) => ({
    method: passthrough.name,
    acceptedAudiences: passthroughAudiences,
  }),
  clientOf: () => [passthrough.name],
};
