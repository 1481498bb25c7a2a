import { useSearchChange } from './list-state.ts';

/** The panel that the URL of a page opens, so that other pages can link to it: `?open=add` */
export function useOpen(
  search: { readonly open?: string | undefined; readonly offset?: number | undefined },
  name: string,
): readonly [isOpen: boolean, setOpen: (open: boolean) => void] {
  const set = useSearchChange();
  return [search.open === name, (open) => set({ open: open ? name : undefined, offset: search.offset })];
}
