export * from './bearer.ts';
export * from './choose-issuer.ts';
export * from './client-authentication.ts';
export { clientDocumentUrl } from './client-document-url.ts';
export * from './client-file.ts';
export * from './errors.ts';
export * from './form.ts';
export * from './issuer-keys.ts';
export * from './metadata.ts';
export * from './peer-urls.ts';
export * from './peer-words.ts';
export * from './protected-resource.ts';
export { answerRefusal, type OAuthLog, type RefusalAnswer } from './refusal.ts';
export * from './scope.ts';
export {
  type AuthenticationFailures,
  checkTokenRequest,
  limitFailures,
  MAX_FORM_BYTES,
  NO_STORE,
  type Outcomes,
  type TokenAttempt,
} from './token-request.ts';
export * from './urns.ts';
