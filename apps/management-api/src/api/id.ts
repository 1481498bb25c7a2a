/** What can be an id at all; anything else is not asked for: PostgreSQL refuses U+0000 with an error. */
export const isId = (text: string): boolean => /^[A-Za-z0-9_.-]{1,128}$/.test(text);
