import { Button } from '@mantine/core';
import { IconCopy, IconDownload, IconX } from '@tabler/icons-react';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';

type Props = {
  count: number;
  /** How many of them are not on the page in sight. */
  elsewhere: number;
  onCopy: () => void;
  onDownload: (() => void) | undefined;
  onClear: () => void;
};

/** The actions on the selected rows. It is below the table, so that no row moves. */
export function SelectionBar({ count, elsewhere, onCopy, onDownload, onClear }: Props) {
  const size = 16;
  const number = formatNumber(count);
  return (
    <div className="table-selection">
      <span role="status">
        {m.common_selected({ count: number })}
        {elsewhere > 0 && ` (${m.common_selected_elsewhere({ count: formatNumber(elsewhere) })})`}
      </span>
      <Button
        size="compact-md"
        variant="default"
        leftSection={<IconCopy size={size} aria-hidden="true" />}
        onClick={onCopy}
      >
        {m.common_copy_serials({ count, number })}
      </Button>
      {onDownload && (
        <Button
          size="compact-md"
          variant="default"
          leftSection={<IconDownload size={size} aria-hidden="true" />}
          onClick={onDownload}
        >
          {m.common_download_rows({ count, number })}
        </Button>
      )}
      <Button
        size="compact-md"
        variant="subtle"
        leftSection={<IconX size={size} aria-hidden="true" />}
        onClick={onClear}
      >
        {m.common_clear_selection()}
      </Button>
    </div>
  );
}
