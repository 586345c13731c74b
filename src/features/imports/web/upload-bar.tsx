import { Button } from '@mantine/core';
import { useId } from 'react';
import { m } from '#shared/texts/messages.js';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import styles from './upload-bar.module.css';
import { UploadProgress } from './upload-progress.tsx';
import type { Upload } from './upload-provider.tsx';

type Props = {
  upload: Upload;
  /** The id of the form that the button sends. */
  form: string;
  disabled: boolean;
  /** The devices and the price of the upload: "115 devices for Rp 92.000". Undefined without a preview. */
  meaning: string | undefined;
};

/** The button that uploads, at the foot of the window: in sight beside the counts that it confirms. */
export function UploadBar({ upload, form, disabled, meaning }: Props) {
  const id = useId();
  const { way, busy, answer, sentName } = upload;
  const isExplained = meaning !== undefined && !busy && answer === null;
  return (
    <div className={`${styles.uploadBar} ${layout.tightStack}`}>
      <UploadProgress upload={upload} />
      <div className={`${layout.row} ${styles.uploadTools}`}>
        {answer === null ? (
          <Button
            key="send"
            type="submit"
            form={form}
            size="md"
            disabled={busy || disabled}
            aria-describedby={isExplained ? id : undefined}
          >
            {describeButton(way, busy)}
          </Button>
        ) : (
          <Button key="next" size="md" variant="default" onClick={upload.forget}>
            {sentName === null ? m.data_paste_next() : m.data_upload_next()}
          </Button>
        )}
        {/* Beside the button, whose name stays that of the action. */}
        {isExplained && (
          <strong id={id} className={typography.tabular}>
            {meaning}
          </strong>
        )}
      </div>
    </div>
  );
}

function describeButton(way: Upload['way'], busy: boolean): string {
  if (busy) return m.data_uploading();
  return way === 'file' ? m.data_upload_file() : m.data_paste_send();
}
