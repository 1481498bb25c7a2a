export {
  createManagementClient,
  type ManagementClient,
  type ManagementOptions,
  type Problem,
} from './management-client.ts';
export { type ListPath, type PageOf, type PagesOptions, pages } from './pages.ts';
export type { components, operations, paths } from './schema.generated.ts';
