import { IconAlertTriangle, IconUpload } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { formatNumber } from '#web/format/format.ts';
import typography from '#web/styles/typography.module.css';
import styles from './upload-activity.module.css';
import { useUpload } from './upload-provider.tsx';

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
