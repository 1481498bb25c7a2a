import { useState } from 'react';
import { t } from '../text/en.ts';
import {
  countHidden,
  cut,
  isPlainToolName,
  NAME_SHOWN,
  reveal,
  SHOWN,
  SHOWN_AT_MOST,
} from '../untrusted/reveal.ts';
import { buttonClass } from './button.tsx';
import { CopyButton } from './copy.tsx';
import styles from './untrusted.module.css';

/** Untrusted text with its hidden characters written out. Inline, without quotation marks, for cells and trees. */
export function Revealed({ text }: { readonly text: string }) {
  return reveal(text).map((piece, index) =>
    'text' in piece ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity, and never move
      <span key={index}>{piece.text}</span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <span key={index} className={styles.hidden}>{`⟨${piece.hidden}⟩`}</span>
    ),
  );
}

/** Untrusted text in quotation marks within a line, cut, where a label beside it names its source. */
export function Quoted({ text }: { readonly text: string }) {
  const { shown, isCut } = cut(text, SHOWN);
  return (
    <q dir="auto">
      <Revealed text={shown} />
      {isCut && t.common.ellipsis}
    </q>
  );
}

interface UntrustedProps {
  readonly text: string;
  /** The source of the text: "From the tool server" */
  readonly from: string;
}

/** Untrusted text, quoted and with its source, so that readers do not take it for a text of the console. */
export function Untrusted({ text, from }: UntrustedProps) {
  const [all, setAll] = useState(false);
  const { shown, isCut } = cut(text, all ? SHOWN_AT_MOST : SHOWN);
  const hidden = countHidden(reveal(text));
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.from}>{t.untrusted.from(from)}</figcaption>
      <blockquote className={styles.quote} dir="auto">
        <Revealed text={shown} />
        {isCut && t.common.ellipsis}
      </blockquote>
      {hidden > 0 && <p className={styles.warning}>{t.untrusted.hidden(hidden)}</p>}
      {isCut && (
        <div className={styles.more}>
          {all ? (
            <CopyButton text={text} label={t.untrusted.copyAll} />
          ) : (
            <button type="button" className={buttonClass('quiet')} onClick={() => setAll(true)}>
              {t.untrusted.showAll}
            </button>
          )}
        </div>
      )}
    </figure>
  );
}

/** A name that a user chose. */
export function Name({ text }: { readonly text: string }) {
  const { shown, isCut } = cut(text, NAME_SHOWN);
  return (
    <bdi>
      <Revealed text={shown} />
      {isCut && t.common.ellipsis}
    </bdi>
  );
}

/** The name of a tool within a sentence of the console: in monospace if it is a plain name, otherwise "a tool". */
export function ToolName({ name }: { readonly name: string }) {
  return isPlainToolName(name) ? <code>{name}</code> : t.untrusted.aTool;
}

/** The name of a tool as an item of a list, whatever characters it has. */
export function ToolLabel({ name }: { readonly name: string }) {
  const { shown, isCut } = cut(name, 64);
  return (
    <code className={styles.isolate} dir="auto">
      <Revealed text={shown} />
      {isCut && t.common.ellipsis}
    </code>
  );
}

/** The name of a tool within a list of events: quoted unless it is a plain name. */
export function ToolWord({ name }: { readonly name: string }) {
  const label = <ToolLabel name={name} />;
  return isPlainToolName(name) ? label : <q>{label}</q>;
}

const TOOLS_SHOWN = 20;

/** Names of tools, each on its own, so that none can look like several. */
export function ToolLabels({ names }: { readonly names: readonly string[] }) {
  const shown = names.slice(0, TOOLS_SHOWN);
  return (
    <>
      {shown.map((name, index) => (
        <span key={name}>
          <ToolWord name={name} />
          {index < shown.length - 1 && `${t.audit.comma} `}
        </span>
      ))}
      {names.length > shown.length && t.common.ellipsis}
    </>
  );
}
