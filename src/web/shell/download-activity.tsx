import { IconDownload, IconX } from '@tabler/icons-react';
import { m } from '#shared/texts/messages.js';
import { useDownloads } from '#web/client/download.ts';
import { formatBytes } from '#web/format/format.ts';

export function DownloadActivity() {
  return useDownloads().map(({ id, received, cancel }) => (
    <div key={id}>
      <IconDownload size={16} aria-hidden="true" />
      <span>{m.common_downloading()}</span>
      {received > 0 && <span className="dim">{formatBytes(received)}</span>}
      <button type="button" className="icon-button" aria-label={m.common_cancel_download()} onClick={cancel}>
        <IconX size={16} aria-hidden="true" />
      </button>
    </div>
  ));
}
