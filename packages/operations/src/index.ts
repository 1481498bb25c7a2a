export { type Answer, type AnswerOf, createSend, JsonText } from './answer.ts';
export type {
  Declaration,
  DeclaredBody,
  Method,
  ParametersOf,
  SuccessResponse,
  SuccessResponses,
} from './declaration.ts';
export { METHODS } from './declaration.ts';
export { type Conventions, describeOperations, type Header } from './document.ts';
export { extensionOf } from './extensions.ts';
export { byPath, type Mounting, mountPaths, routePath } from './mount.ts';
export type { JsonSchema, SchemaOptions } from './schemas.ts';
