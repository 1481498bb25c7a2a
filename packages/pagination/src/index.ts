export { type Page, PageText, pageOf, toPage } from './page.ts';
export { DEFAULT_LIMIT, MAX_LIMIT, PageQuery, type PageRequest, pageParameters } from './page-query.ts';
