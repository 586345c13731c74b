import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Source, trySource } from '#features/sources/sources.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { useSubmit } from '#web/client/submit.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { sources } from './sources.api.ts';
import { TryResult } from './try-result.tsx';
import './try-dialog.css';

export function TryDialog({ source, onClose }: { source: Source; onClose: () => void }) {
  const [serial, setSerial] = useState('');
  const [trial, setTrial] = useState<Answer<typeof trySource> | null>(null);
  const queries = useQueryClient();

  const { busy, error, submit } = useSubmit({
    send: async () => {
      setTrial(null);
      try {
        setTrial(
          await call<typeof trySource>('POST /sources/{name}/try', {
            params: { name: source.name },
            body: { serial },
          }),
        );
      } finally {
        queries.invalidateQueries({ queryKey: sources.queryKey });
      }
    },
    fallback: m.sources_try_failed(),
  });

  return (
    <Dialog
      title={m.sources_try_title({ label: source.label })}
      wide
      onClose={onClose}
      footer={
        <Button variant="default" onClick={onClose}>
          {m.common_close()}
        </Button>
      }
    >
      <p className="dim">{m.sources_try_text()}</p>
      <form className="try-form" onSubmit={submit}>
        <TextInput
          label={m.sources_try_serial()}
          required
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          value={serial}
          onChange={(event) => setSerial(event.target.value)}
        />
        <Button type="submit" disabled={busy}>
          {busy ? m.sources_try_busy() : m.sources_try_submit()}
        </Button>
      </form>
      <div aria-live="polite">
        {error !== null && <Banner tone="error">{error}</Banner>}
        {trial !== null && <TryResult trial={trial} />}
      </div>
    </Dialog>
  );
}
