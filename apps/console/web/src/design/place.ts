interface Box {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Wish {
  /** The edges to align, or the middles */
  readonly align: 'start' | 'center' | 'end';
  readonly gap: number;
}

/** Minimum distance of a floating element from the edge of the window. */
const MARGIN = 8;

/** Returns the position of a floating element: below its anchor, above it if there is no room, and never outside the window. */
export function placeBeside(anchor: Box, floating: Size, window: Size, { align, gap }: Wish) {
  const below = anchor.bottom + gap;
  const above = anchor.top - gap - floating.height;
  const top = below + floating.height + MARGIN > window.height && above >= MARGIN ? above : below;
  const wished = {
    start: anchor.left,
    center: (anchor.left + anchor.right - floating.width) / 2,
    end: anchor.right - floating.width,
  }[align];
  const left = Math.max(MARGIN, Math.min(wished, window.width - floating.width - MARGIN));
  return { top: Math.round(top), left: Math.round(left) };
}

/** Moves an open popover to its place beside an element. */
export function placePopover(popover: HTMLElement, anchor: Element, wish: Wish): void {
  const window = { width: document.documentElement.clientWidth, height: globalThis.innerHeight };
  const { width, height } = popover.getBoundingClientRect();
  const { top, left } = placeBeside(anchor.getBoundingClientRect(), { width, height }, window, wish);
  popover.style.top = `${top}px`;
  popover.style.left = `${left}px`;
}
