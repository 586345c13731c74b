import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { m } from '#shared/texts/messages.js';
import { saveFile } from '#web/browser/save-file.ts';
import { CopyButton } from '#web/ui/action/copy-button.tsx';
import { Banner } from '#web/ui/feedback/banner.tsx';

/** The recovery codes of a new second factor, which cannot be read again. */
export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const text = codes.join('\n');
  const list = useRef<HTMLUListElement>(null);
  // The form that had the focus is gone.
  useEffect(() => list.current?.focus(), []);
  return (
    <>
      <Banner tone="warning">{m.account_recovery_once()}</Banner>
      <ul ref={list} tabIndex={-1} className="recovery-codes code" aria-label={m.account_recovery_codes()}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="row">
        <CopyButton text={text} label={m.account_recovery_copy()} />
        <Button
          size="compact-sm"
          variant="default"
          onClick={() =>
            saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'coverdesk-recovery-codes.txt')
          }
        >
          {m.account_recovery_download()}
        </Button>
      </div>
      <div className="row">
        <Button onClick={onClose}>{m.account_recovery_stored()}</Button>
      </div>
    </>
  );
}
