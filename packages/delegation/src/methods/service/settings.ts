import type { MethodConfiguration, NamedSettings, ServiceKey } from '../../domain/method-settings.ts';
import { service } from './facts.ts';

export interface ServiceSettings extends NamedSettings {
  readonly method: typeof service.name;
  readonly key: ServiceKey;
}

export const serviceConfiguration: MethodConfiguration<ServiceSettings> = {
  read: (fields) => ({ method: service.name, key: fields.serviceKey() }),
  clientOf: () => [service.name],
};
