import type { z } from 'zod';

/**
 * The metadata of a schema that has all members of a named one and more: the document then refers to that one instead of
 * repeating it.
 *
 * ```ts
 * const NewApiKey = ApiKey.extend({ key: z.string() }).meta(extensionOf(ApiKey, { id: 'NewApiKey', description: … }));
 * ```
 * @throws {Error} if the extended schema has no name
 */
export function extensionOf(
  base: z.ZodObject,
  meta: { readonly id: string; readonly description: string },
): z.GlobalMeta {
  const name = base.meta()?.id;
  if (name === undefined) throw new Error(`${meta.id} extends a schema without a name`);
  return { ...meta, extends: name };
}
