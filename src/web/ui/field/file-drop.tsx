import { Button, FileButton } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { formatKilobytes } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { passFocusOn } from '../overlay/move-focus.ts';
import styles from './file-drop.module.css';

type Props = {
  /** Names the file field. */
  label: string;
  /** The kinds of files in the browser's chooser: `.txt,text/plain`. */
  accept: string;
  prompt: string;
  hint: string;
  file: File | null;
  /** Gets the dropped or chosen file unchecked, and null when it is removed. */
  onFile: (file: File | null) => void;
  disabled?: boolean;
};

const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files');

/**
 * Takes one file by drag and drop or from the browser's chooser. Once it has one, it is a line with the file's name, its
 * size and a way to remove it.
 * Files may be dropped anywhere: beside the zone, the browser would leave the app and open them.
 */
export function FileDrop({ label, accept, prompt, hint, file, onFile, disabled = false }: Props) {
  const id = useId();
  const reset = useRef<() => void>(null);
  const [over, setOver] = useState(false);
  const take = (chosen: File | null | undefined) => {
    if (chosen && !disabled) onFile(chosen);
    // The same file can be chosen again after it was removed.
    reset.current?.();
  };

  const onDragOver = useEffectEvent((event: DragEvent) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    setOver(true);
  });
  const onDragLeave = useEffectEvent((event: DragEvent) => event.relatedTarget === null && setOver(false));
  const onDrop = useEffectEvent((event: DragEvent) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer?.files[0]);
  });
  // Not after painting as other effects: a file dropped at once would leave the app.
  useLayoutEffect(() => {
    const controller = new AbortController();
    addEventListener('dragover', onDragOver, { signal: controller.signal });
    addEventListener('dragleave', onDragLeave, { signal: controller.signal });
    addEventListener('drop', onDrop, { signal: controller.signal });
    return () => controller.abort();
  }, []);

  return (
    <div className={[styles.dropZone, over && styles.over, file && styles.chosen].filter(Boolean).join(' ')}>
      <IconFileUpload size={file === null ? 28 : 20} stroke={1.5} aria-hidden="true" />
      <div className={`${layout.row} ${styles.chosenFile}`}>
        {file === null ? (
          <span>{prompt}</span>
        ) : (
          <span role="status">
            <span>{file.name}</span> <span className={typography.dim}>{formatKilobytes(file.size)}</span>
          </span>
        )}
        <FileButton
          accept={accept}
          disabled={disabled}
          resetRef={reset}
          inputProps={{ 'aria-label': label, disabled }}
          onChange={take}
        >
          {({ onClick }) => (
            <Button
              size="compact-md"
              variant="default"
              disabled={disabled}
              aria-describedby={file === null ? `${id}-hint` : undefined}
              onClick={onClick}
            >
              {m.common_browse()}
            </Button>
          )}
        </FileButton>
      </div>
      {file === null ? (
        <p className={typography.dim} id={`${id}-hint`}>
          {hint}
        </p>
      ) : (
        <Button
          ref={passFocusOn}
          size="compact-md"
          variant="default"
          disabled={disabled}
          onClick={() => onFile(null)}
        >
          {m.common_remove_file()}
        </Button>
      )}
    </div>
  );
}
