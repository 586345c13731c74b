import { Button } from '@mantine/core';
import { IconAlertTriangle, IconUpload } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { isSecondClick } from '#web/browser/second-click.ts';
import { formatBytes, formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { ProgressBar } from '#web/ui/chart/progress-bar.tsx';
import styles from './upload-progress.module.css';
import { type Upload, useUpload } from './upload-provider.tsx';

export function UploadProgress({ upload }: { upload: Upload }) {
  if (upload.sent === null) return null;
  const { bytes, total } = upload.sent;
  const percent = total === 0 ? 0 : Math.floor((bytes / total) * 100);
  return (
    <div className={layout.tightStack}>
      <ProgressBar label={m.data_upload_progress()} percent={percent} animated={upload.rows !== null} />
      <div className={layout.spread}>
        <p className={typography.dim} role="status">
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

/** A slim indicator in the shell, on every screen but the upload's own: the progress of the upload, or its failure. */
export function UploadActivity() {
  const { pathname } = useLocation();
  const { sentName, sent, rows, error } = useUpload();
  if (pathname === paths.upload || (sent === null && error === null)) return null;
  const failed = sent === null;
  const file = sentName ?? m.data_paste_name();
  const Icon = failed ? IconAlertTriangle : IconUpload;
  return (
    <Link className={failed ? styles.failedUpload : undefined} to={paths.upload}>
      <Icon size={16} aria-hidden="true" />
      <span>{failed ? m.data_upload_activity_failed({ file }) : m.data_upload_activity({ file })}</span>
      {!failed && (
        <span className={typography.dim}>
          {rows === null
            ? `${Math.floor((sent.bytes / Math.max(sent.total, 1)) * 100)}%`
            : m.data_upload_rows({ count: rows, number: formatNumber(rows) })}
        </span>
      )}
    </Link>
  );
}
