// Loaded before an example: gives it Express 4 in the place of 5.
import { register } from 'node:module';

const hook = `export const resolve = (specifier, context, next) =>
  next(specifier === 'express' ? 'express4' : specifier, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
