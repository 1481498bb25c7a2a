/** Returns the page of a resource with a complete id. */
const PLACES: readonly (readonly [RegExp, (id: string) => string])[] = [
  [/^con_[0-9A-Z]{26}$/i, (id) => `/connectors/${id}`],
  [/^agt_[0-9A-Z]{26}$/i, (id) => `/agents/${id}`],
  [/^site_[0-9A-Z]{26}$/i, (id) => `/sites/${id}`],
  [/^mem_[0-9A-Z]{26}$/i, (id) => `/members?member=${id}`],
  [/^sva_[0-9A-Z]{26}$/i, (id) => `/settings/accounts/${id}`],
  [/^evt_[0-9A-Z]{26}$/i, (id) => `/audit?event=${id}`],
  [/^req_[0-9a-z-]{8,64}$/i, (id) => `/audit?request=${id}`],
];

/** Returns the path of the resource with an id, or undefined for any other text. */
export function placeOfId(text: string): string | undefined {
  const id = text.trim();
  const found = PLACES.find(([pattern]) => pattern.test(id));
  return found?.[1](id);
}
