import { Button } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { type DragEvent, useId, useRef, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { formatKilobytes } from '#web/format/format.ts';
import './file-drop.css';

type Props = {
  /** Names the file field. */
  label: string;
  /** What the browser's file chooser offers: `.txt,text/plain`. */
  accept: string;
  /** In front of the Browse button: where to drop what. */
  prompt: string;
  /** What may be chosen, in small print. */
  hint: string;
  file: File | null;
  /** Gets what was dropped or chosen, unchecked; null when it is removed. */
  onFile: (file: File | null) => void;
  disabled?: boolean;
};

/** Takes one file by drag and drop or from the browser's chooser; shows its name, its size and a way to remove it. */
export function FileDrop({ label, accept, prompt, hint, file, onFile, disabled = false }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const dropped = event.dataTransfer.files[0];
    if (dropped && !disabled) onFile(dropped);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra, the Browse button does the same by keyboard
    <div
      className={over ? 'drop-zone over' : 'drop-zone'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        disabled={disabled}
        onChange={(event) => {
          const [chosen] = event.target.files ?? [];
          // The same file may be chosen again after it was removed.
          event.target.value = '';
          if (chosen) onFile(chosen);
        }}
      />
      <IconFileUpload size={28} stroke={1.5} aria-hidden="true" />
      <div className="row drop-zone-line">
        <span>{prompt}</span>
        <Button
          size="compact-md"
          variant="default"
          disabled={disabled}
          aria-describedby={`${id}-hint`}
          onClick={() => input.current?.click()}
        >
          {m.common_browse()}
        </Button>
      </div>
      <p className="dim" id={`${id}-hint`}>
        {hint}
      </p>
      {file !== null && (
        <div className="row drop-zone-file" role="status">
          <span className="drop-zone-name">{file.name}</span>
          <span className="dim">{formatKilobytes(file.size)}</span>
          <Button size="compact-md" variant="default" disabled={disabled} onClick={() => onFile(null)}>
            {m.common_remove_file()}
          </Button>
        </div>
      )}
    </div>
  );
}
