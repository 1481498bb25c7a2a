// Loaded before an example: replaces Express 5 by Express 4.
import { register } from 'node:module';

const hook = `export const resolve = (specifier, context, next) =>
  next(specifier === 'express' ? 'express4' : specifier, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
