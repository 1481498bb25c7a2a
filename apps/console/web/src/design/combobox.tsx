import { Combobox as Base } from '@base-ui/react/combobox';
import { Check, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../text/en.ts';
import styles from './combobox.module.css';
import { cx } from './cx.ts';
import fieldStyles from './field.module.css';
import { Field, type FieldProps } from './field.tsx';

interface ComboboxProps<Item> extends FieldProps {
  readonly items: readonly Item[];
  readonly value: NoInfer<Item> | null;
  onChange(item: NoInfer<Item> | null): void;
  /** Called with the typed text. If it is given, the caller searches, and items are not filtered here */
  readonly onSearch?: (text: string) => void;
  labelOf(item: Item): string;
  keyOf(item: Item): string;
  readonly detailOf?: (item: Item) => ReactNode;
  readonly placeholder?: string;
}

/** A field for choosing one of many items by typing. */
export function Combobox<Item>(props: ComboboxProps<Item>) {
  const { items, value, onChange, onSearch, labelOf, keyOf, detailOf } = props;
  return (
    <Base.Root
      items={items as Item[]}
      value={value}
      onValueChange={(item) => onChange(item)}
      itemToStringLabel={labelOf}
      isItemEqualToValue={(one, other) => keyOf(one) === keyOf(other)}
      {...(onSearch && { filter: null, onInputValueChange: onSearch })}
    >
      <Field
        {...props}
        control={(control) => (
          <div className={styles.group}>
            <Base.Input
              {...control}
              className={cx(fieldStyles.control, styles.input)}
              placeholder={props.placeholder}
            />
            <Base.Trigger className={styles.trigger} aria-label={t.common.showChoices}>
              <ChevronsUpDown aria-hidden size={16} />
            </Base.Trigger>
          </div>
        )}
      />
      <Base.Portal>
        <Base.Positioner sideOffset={4} className={styles.positioner}>
          <Base.Popup className={styles.popup}>
            <Base.Empty className={styles.empty}>{t.common.nothingMatches}</Base.Empty>
            <Base.List className={styles.list}>
              {(item: Item) => (
                <Base.Item key={keyOf(item)} value={item} className={styles.item}>
                  <Base.ItemIndicator className={styles.check} keepMounted>
                    <Check aria-hidden size={16} />
                  </Base.ItemIndicator>
                  <span>
                    <bdi>{labelOf(item)}</bdi>
                    {detailOf && <span className={styles.detail}>{detailOf(item)}</span>}
                  </span>
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
