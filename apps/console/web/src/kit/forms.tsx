import type { AuthMethod } from '@legate/delegation/methods';
import { useState } from 'react';
import { Checkbox, SecretField, Select, TextArea, TextField } from '../design/inputs.tsx';
import { Section } from '../design/layout.tsx';
import { Tabs } from '../design/tabs.tsx';
import { methodOptions } from '../pages/connectors/methods.ts';
import styles from './kit.module.css';

const METHODS = methodOptions();

export function Forms() {
  const [name, setName] = useState('Billing tools');
  const [secret, setSecret] = useState('');
  const [method, setMethod] = useState<AuthMethod>('id-jag');
  const [on, setOn] = useState(true);
  const [tab, setTab] = useState<'form' | 'json'>('form');
  return (
    <Section title="Forms">
      <div className={styles.columns}>
        <TextField name="name" label="Name" hint="As people see it" value={name} onChange={setName} />
        <TextField
          name="bad"
          label="Address"
          value="ftp://x"
          error="An https address"
          onChange={setName}
          mono
        />
        <SecretField
          name="secret"
          label="Client secret"
          required={false}
          value={secret}
          onChange={setSecret}
        />
        <Select name="method" label="Method" value={method} onChange={setMethod} options={METHODS} />
        <Checkbox label="Enabled" hint="Nobody can use it until it is." value={on} onChange={setOn} />
      </div>
      <TextArea name="text" label="Instructions" value={name} onChange={setName} />
      <Tabs
        label="Arguments"
        value={tab}
        onChange={setTab}
        tabs={[
          { name: 'form', label: 'Form' },
          { name: 'json', label: 'JSON' },
        ]}
      >
        <p>{tab}</p>
      </Tabs>
    </Section>
  );
}
