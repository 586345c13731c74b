import { Button } from '@mantine/core';
import { useId } from 'react';
import { m } from '#shared/texts/messages.js';
import { isSecondClick } from '#web/browser/second-click.ts';
import { formatBytes, formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { ProgressBar } from '#web/ui/chart/progress-bar.tsx';
import { passFocusOn, useFocusAfter } from '#web/ui/overlay/move-focus.ts';
import styles from './upload-bar.module.css';
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
  useFocusAfter(busy);
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
          // It appears where the button that uploads was.
          <Button
            ref={passFocusOn}
            key="next"
            size="md"
            variant="default"
            onClick={() => isSecondClick() || upload.forget()}
          >
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

function UploadProgress({ upload }: { upload: Upload }) {
  if (upload.sent === null) return null;
  const { bytes, total } = upload.sent;
  const percent = total === 0 ? 0 : Math.floor((bytes / total) * 100);
  return (
    <div className={layout.tightStack}>
      <ProgressBar label={m.data_upload_progress()} percent={percent} animated={upload.rows !== null} />
      <div className={layout.spread}>
        <p className={typography.dim}>
          {upload.rows === null
            ? m.data_upload_bytes({ sent: formatBytes(bytes), total: formatBytes(total) })
            : m.data_upload_rows({ count: upload.rows, number: formatNumber(upload.rows) })}
        </p>
        {/* It appears where the button that started the upload was. */}
        <Button size="compact-sm" variant="default" onClick={() => isSecondClick() || upload.cancel()}>
          {m.data_cancel_upload()}
        </Button>
      </div>
    </div>
  );
}

function describeButton(way: Upload['way'], busy: boolean): string {
  if (busy) return m.data_uploading();
  return way === 'file' ? m.data_upload_file() : m.data_paste_send();
}
