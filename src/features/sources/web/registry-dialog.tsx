import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Source, uploadRegistry } from '#features/sources/sources.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { useSubmit } from '#web/client/submit.ts';
import { upload } from '#web/client/upload.ts';
import { formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { Outcome } from '#web/ui/feedback/outcome.tsx';
import { FileDrop } from '#web/ui/field/file-drop.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { sources } from './sources.api.ts';

export function RegistryDialog({ source, onClose }: { source: Source; onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [answer, setAnswer] = useState<Answer<typeof uploadRegistry> | null>(null);
  const queries = useQueryClient();
  const formId = useId();

  const { busy, error, setError, submit } = useSubmit({
    check: () => (file === null ? m.sources_registry_no_file : null),
    send: async () => {
      if (file === null) return;
      setAnswer(null);
      const form = new FormData();
      form.set('excel', file);
      setAnswer(
        await upload<typeof uploadRegistry>('POST /sources/{name}/registry', {
          params: { name: source.name },
          form,
        }),
      );
      setFile(null);
      await queries.invalidateQueries({ queryKey: sources.queryKey });
    },
    fallback: m.sources_registry_failed(),
  });
  const choose = (chosen: File | null) => {
    const wrong = chosen !== null && !/\.xlsx?$/i.test(chosen.name);
    setError(wrong ? m.sources_registry_wrong_file : null);
    setFile(wrong ? null : chosen);
    setAnswer(null);
  };

  return (
    <Dialog
      title={m.sources_registry_title({ label: source.label })}
      width="wide"
      busy={busy}
      onClose={onClose}
      footer={
        <>
          <Button variant="default" disabled={busy} onClick={onClose}>
            {m.common_close()}
          </Button>
          <Button type="submit" form={formId} disabled={busy}>
            {busy ? m.sources_registry_busy() : m.sources_registry_submit()}
          </Button>
        </>
      }
    >
      <p className={typography.dim}>{m.sources_registry_text()}</p>
      {source.registry !== null && (
        <p className={typography.dim}>
          {m.sources_registry_replaces({
            count: source.registry.devices,
            number: formatNumber(source.registry.devices),
          })}
        </p>
      )}
      <form id={formId} className={layout.stack} onSubmit={submit}>
        {error !== null && <Outcome tone="error">{error}</Outcome>}
        <FileDrop
          label={m.sources_registry_file()}
          accept=".xlsx,.xls"
          prompt={m.sources_registry_drop()}
          hint={m.sources_registry_file()}
          file={file}
          onFile={choose}
          disabled={busy}
        />
      </form>
      {answer !== null && <Outcome tone="success">{answer.message}</Outcome>}
      {answer !== null && answer.rejected_count > 0 && (
        <Banner
          tone="warning"
          title={m.sources_registry_rejected({
            count: answer.rejected_count,
            number: formatNumber(answer.rejected_count),
          })}
        >
          <ul>
            {answer.rejected.map(({ row, reason }) => (
              <li key={row}>{m.sources_registry_row({ row: formatNumber(row), reason })}</li>
            ))}
            {answer.rejected_count > answer.rejected.length && <li>…</li>}
          </ul>
        </Banner>
      )}
    </Dialog>
  );
}
