import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { Row, Section } from '../design/layout.tsx';
import { Dialog, Panel } from '../design/modal.tsx';
import { toast } from '../design/toast.tsx';

export function Overlays() {
  const [open, setOpen] = useState<'panel' | 'dialog' | undefined>();
  const close = () => setOpen(undefined);
  return (
    <Section title="What floats">
      <Row>
        <Button onClick={() => setOpen('panel')}>Open panel</Button>
        <Button onClick={() => setOpen('dialog')}>Open dialog</Button>
        <Button onClick={() => toast('Billing tools was deleted', { label: 'Undo', run: close })}>
          Show toast
        </Button>
      </Row>
      {open === 'panel' && (
        <Panel title="Why was this refused?" onClose={close} footer={<Button onClick={close}>Close</Button>}>
          <p>Support may not use this tool.</p>
        </Panel>
      )}
      {open === 'dialog' && (
        <Dialog
          title="Delete this connector?"
          onClose={close}
          footer={
            <>
              <Button onClick={close}>Cancel</Button>
              <Button variant="danger" onClick={close}>
                Delete
              </Button>
            </>
          }
        >
          <p>Agents that are bound to it lose its tools at once.</p>
        </Dialog>
      )}
    </Section>
  );
}
