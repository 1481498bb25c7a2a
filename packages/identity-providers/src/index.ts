export { explainRefusal, type ProviderRefusal, type RefusalDetails, type RefusedLeg } from './error-hints.ts';
export {
  findKind,
  KIND_NAMES,
  KINDS,
  type KindName,
  type ProviderKind,
  SUBJECT_TOKEN_TYPES,
  type SubjectTokenType,
} from './kinds.ts';
