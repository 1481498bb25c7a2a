import { Ellipsis } from 'lucide-react';
import { IconButton } from './button.tsx';
import { Menu, type MenuItem } from './menu.tsx';

interface ActionsMenuProps {
  /** Name of the button, and of the menu that it opens */
  readonly label: string;
  readonly items: readonly MenuItem[];
}

/** The actions for the subject of a row or a page, behind a button with three dots. */
export const ActionsMenu = ({ label, items }: ActionsMenuProps) => (
  <Menu
    label={label}
    trigger={(props) => <IconButton {...props} icon={Ellipsis} label={label} />}
    items={items}
  />
);
