import type { DelegationMethod } from '../domain/delegation.ts';
import type { AuthMethod } from './facts.ts';
import { createIdJagMethod, type IdJagDependencies } from './id-jag/method.ts';
import { createOAuthPkceMethod, type OAuthPkceDependencies } from './oauth-pkce/method.ts';
import { createPassthroughMethod, type PassthroughDependencies } from './passthrough/method.ts';
import { createServiceMethod, type ServiceDependencies } from './service/method.ts';
import type { MethodSettings } from './settings.ts';
import { createTokenExchangeMethod, type TokenExchangeDependencies } from './token-exchange/method.ts';

export type Methods = { readonly [Name in AuthMethod]: DelegationMethod<MethodSettings<Name>> };

/** The dependencies of all methods */
export interface MethodDependencies
  extends IdJagDependencies,
    OAuthPkceDependencies,
    PassthroughDependencies,
    ServiceDependencies,
    TokenExchangeDependencies {}

export const createMethods = (deps: MethodDependencies): Methods => ({
  'id-jag': createIdJagMethod(deps),
  'token-exchange': createTokenExchangeMethod(deps),
  'oauth-pkce': createOAuthPkceMethod(deps),
  passthrough: createPassthroughMethod(deps),
  service: createServiceMethod(deps),
});
