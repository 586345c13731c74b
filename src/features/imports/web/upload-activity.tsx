import { IconAlertTriangle, IconUpload } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { formatNumber } from '#web/format/format.ts';
import { useUpload } from './upload-provider.tsx';

/** Slim sign in the shell on every screen but the upload's own: how far it is, or that it failed. */
export function UploadActivity() {
  const { pathname } = useLocation();
  const { sentName, sent, rows, error } = useUpload();
  if (pathname === paths.upload || (sent === null && error === null)) return null;
  const failed = sent === null;
  const file = sentName ?? m.data_paste_name();
  const Icon = failed ? IconAlertTriangle : IconUpload;
  return (
    <Link className={failed ? 'failed' : undefined} to={paths.upload}>
      <Icon size={16} aria-hidden="true" />
      <span>{failed ? m.data_upload_activity_failed({ file }) : m.data_upload_activity({ file })}</span>
      {!failed && (
        <span className="dim">
          {rows === null
            ? `${Math.floor((sent.bytes / Math.max(sent.total, 1)) * 100)}%`
            : m.data_upload_rows({ rows: formatNumber(rows) })}
        </span>
      )}
    </Link>
  );
}
