import { useSearchChange } from './list-state.ts';

/** What the address of a page says is open over it, so that other pages can lead there: `?open=add` */
export function useOpen(
  search: { readonly open?: string | undefined; readonly offset?: number | undefined },
  name: string,
): readonly [isOpen: boolean, setOpen: (open: boolean) => void] {
  const set = useSearchChange();
  return [search.open === name, (open) => set({ open: open ? name : undefined, offset: search.offset })];
}
