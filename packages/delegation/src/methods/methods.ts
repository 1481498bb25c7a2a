import type { DelegationMethod } from '../domain/delegation.ts';
import type { AuthMethod } from './facts.ts';
import type { MethodSettings } from './settings.ts';

export type Methods = { readonly [Name in AuthMethod]: DelegationMethod<MethodSettings<Name>> };
