import { expect, it } from '@jest/globals';
import { placeOfId } from './palette-ids.ts';

const ULID = '01JZ8Q4M7N2XK9V3C5T6W8R0AB';

it.each([
  [` con_${ULID} `, `/connectors/con_${ULID}`],
  [`agt_${ULID}`, `/agents/agt_${ULID}`],
  [`site_${ULID}`, `/sites/site_${ULID}`],
  [`evt_${ULID}`, `/audit?event=evt_${ULID}`],
])('opens the resource with the id %s', (id, place) => {
  expect(placeOfId(id)).toBe(place);
});

it.each(['con_', `con_${ULID}/../x`, `xyz_${ULID}`, 'Billing', ''])('treats %j as a name', (text) => {
  expect(placeOfId(text)).toBeUndefined();
});
