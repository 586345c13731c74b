import { m } from '#shared/texts/messages.js';
import { useDownload } from '#web/client/use-download.ts';
import { type DownloadFormat, downloadResults } from './results.api.ts';

/** Saves rows of tickets as files. Leaving the screen cancels a download, and says so. */
export function useResultsDownload() {
  const { running, received, save } = useDownload<DownloadFormat>({
    texts: { saved: m.data_downloaded(), failed: m.data_download_failed(), left: m.data_download_left() },
  });
  const saveResults = (
    ticketNumber: string,
    format: DownloadFormat,
    asked: Parameters<typeof downloadResults>[2] = {},
  ) => save(format, (options) => downloadResults(ticketNumber, format, asked, options));
  return { running, received, saveResults };
}
