export {
  findKind,
  KIND_NAMES,
  KINDS,
  type KindName,
  type ProviderKind,
  SUBJECT_TOKEN_TYPES,
  type SubjectTokenType,
} from './kinds.ts';
