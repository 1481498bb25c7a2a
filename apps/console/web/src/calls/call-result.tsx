import { useState } from 'react';
import type { ToolResult } from '../api/types.ts';
import { CopyButton, CopyId } from '../design/copy.tsx';
import { JsonTree } from '../design/json-tree.tsx';
import { Status } from '../design/status.tsx';
import { Tabs } from '../design/tabs.tsx';
import { Untrusted } from '../design/untrusted.tsx';
import { useConfig } from '../session/session.tsx';
import { t } from '../text/en.ts';
import { nameText } from '../untrusted/reveal.ts';
import { type CallAnswer, curlOf, type SentCall } from './call.ts';
import styles from './calls.module.css';
import { WhyLink } from './why-link.tsx';

interface CallResultProps {
  readonly answer: CallAnswer;
  readonly sent: SentCall;
}

export function CallResult({ answer, sent }: CallResultProps) {
  const [tab, setTab] = useState<'result' | 'structured' | 'raw'>('result');
  const { tool_hub_url: hubUrl = 'https://hub.example' } = useConfig();
  const { result, milliseconds, callId, keptToken, actsAs } = answer;
  const tabs = (['result', 'structured', 'raw'] as const).map((name) => ({
    name,
    label: t.calls.resultTabs[name],
  }));
  return (
    <section aria-label={t.calls.result}>
      <div className={styles.outcome} aria-live="polite">
        <Status tone={result.isError ? 'warning' : 'allowed'} filled>
          {result.isError ? t.calls.toolError : t.calls.allowed}
        </Status>
        <span>{t.calls.milliseconds(milliseconds)}</span>
        <span>{keptToken ? t.calls.keptToken : t.calls.freshToken}</span>
        <span>{t.calls.actsAs[actsAs]}</span>
        {callId && <CopyId id={callId} />}
        {callId && <WhyLink callId={callId} />}
        <CopyButton text={curlOf(hubUrl, sent)} label={t.calls.curl} />
      </div>
      <Tabs label={t.calls.result} tabs={tabs} value={tab} onChange={setTab}>
        {tab === 'result' && <Content result={result} />}
        {tab === 'structured' &&
          (result.structuredContent === undefined ? (
            <p className="muted">{t.calls.structuredNone}</p>
          ) : (
            <JsonTree label={t.calls.resultTabs.structured} value={result.structuredContent} />
          ))}
        {tab === 'raw' && <JsonTree label={t.calls.resultTabs.raw} value={result} />}
      </Tabs>
    </section>
  );
}

function Content({ result: { content = [] } }: { readonly result: ToolResult }) {
  if (content.length === 0) return <p className="muted">{t.calls.contentNone}</p>;
  return content.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a response never changes
    <Block key={index} block={block} />
  ));
}

/** Image types that a browser shows without running anything; SVG and HTML are not among them. */
const PICTURES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
const PICTURE_AT_MOST = 2 * 1024 * 1024;

function Block({ block }: { readonly block: Readonly<Record<string, unknown>> }) {
  const { type, text, data, mimeType, uri, resource } = block;
  if (type === 'text' && typeof text === 'string')
    return <Untrusted from={t.untrusted.toolServer} text={text} />;
  if (type === 'image' && typeof data === 'string' && isPicture(mimeType, data))
    return <img alt={t.calls.imageAlt} className={styles.image} src={`data:${mimeType};base64,${data}`} />;
  if (type === 'resource' && isObject(resource))
    return (
      <>
        {typeof resource.uri === 'string' && <Address uri={resource.uri} />}
        <Block
          block={
            typeof resource.text === 'string'
              ? { type: 'text', text: resource.text }
              : { type: resource.mimeType ?? type }
          }
        />
      </>
    );
  if (typeof uri === 'string') return <Address uri={uri} />;
  return <p className="muted">{t.calls.notShown(nameText(String(type)))}</p>;
}

/** An address from the tool server: text to copy, never a link. */
const Address = ({ uri }: { readonly uri: string }) => (
  <div className={styles.address}>
    <Untrusted from={t.untrusted.toolServer} text={uri} />
    <CopyButton text={uri} />
  </div>
);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isPicture = (mimeType: unknown, data: string): mimeType is string =>
  typeof mimeType === 'string' &&
  PICTURES.includes(mimeType) &&
  data.length <= (PICTURE_AT_MOST * 4) / 3 &&
  /^[A-Za-z0-9+/]*={0,2}$/.test(data);
