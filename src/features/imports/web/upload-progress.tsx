import { Button } from '@mantine/core';
import { m } from '#shared/texts/messages.js';
import { isSecondClick } from '#web/browser/second-click.ts';
import { formatBytes, formatNumber } from '#web/format/format.ts';
import { ProgressBar } from '#web/ui/chart/progress-bar.tsx';
import type { Upload } from './upload-provider.tsx';

export function UploadProgress({ upload }: { upload: Upload }) {
  if (upload.sent === null) return null;
  const { bytes, total } = upload.sent;
  const percent = total === 0 ? 0 : Math.floor((bytes / total) * 100);
  return (
    <div className="stack tight">
      <ProgressBar label={m.data_upload_progress()} percent={percent} animated={upload.rows !== null} />
      <div className="row between">
        <p className="dim" role="status">
          {upload.rows === null
            ? m.data_upload_bytes({ sent: formatBytes(bytes), total: formatBytes(total) })
            : m.data_upload_rows({ rows: formatNumber(upload.rows) })}
        </p>
        {/* It appears where the button that started the upload was. */}
        <Button size="compact-sm" variant="default" onClick={() => isSecondClick() || upload.cancel()}>
          {m.data_cancel_upload()}
        </Button>
      </div>
    </div>
  );
}
