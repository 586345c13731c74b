import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { m } from '#shared/texts/messages.js';
import type { DownloadFile } from '#web/client/download.ts';
import { useDownload } from '#web/client/use-download.ts';

type Props = {
  /** Shown when the file was saved, and when it failed without a message of the server. */
  texts: { saved: string; failed: string };
  disabled?: boolean;
  fileOf: (format: 'excel' | 'json') => DownloadFile;
};

/** Saves a list as a file, by one button per format. Leaving the screen cancels the download. */
export function SaveButtons({ texts, disabled = false, fileOf }: Props) {
  const download = useDownload<'excel' | 'json'>({ texts: { ...texts, left: m.data_download_left() } });
  return (['excel', 'json'] as const).map((format) => (
    <Button
      key={format}
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden="true" />}
      loading={download.running === format}
      disabled={disabled || download.running !== null}
      onClick={() => download.save(format, fileOf(format))}
    >
      {format === 'excel' ? m.data_format_excel() : m.data_format_json()}
    </Button>
  ));
}
