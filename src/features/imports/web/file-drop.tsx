import { Button } from '@mantine/core';
import { IconFileSpreadsheet, IconUpload } from '@tabler/icons-react';
import { type DragEvent, useId, useRef, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { formatKilobytes } from '#web/format.ts';
import './file-drop.css';

type Props = {
  file: File | null;
  /** Null when the file is removed. */
  onFile: (file: File | null) => void;
  disabled: boolean;
};

/** Takes one Excel file by drag and drop or browsing, and shows its name and size once it is there. */
export function FileDrop({ file, onFile, disabled }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const id = useId();

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const dropped = event.dataTransfer.files[0];
    if (dropped !== undefined && !disabled) onFile(dropped);
  };
  const remove = () => {
    if (input.current !== null) input.current.value = '';
    onFile(null);
  };
  return (
    <section
      className={over ? 'file-drop over' : 'file-drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <label htmlFor={id} className="sr-only">
        {m.data_upload_drop_area()}
      </label>
      <input
        ref={input}
        id={id}
        type="file"
        className="sr-only"
        accept=".xlsx,.xls"
        tabIndex={-1}
        disabled={disabled}
        onChange={(event) => {
          const chosen = event.target.files?.[0];
          if (chosen !== undefined) onFile(chosen);
        }}
      />
      {file === null ? (
        <>
          <IconUpload size={28} stroke={1.5} aria-hidden="true" />
          <p>{m.data_upload_drop()}</p>
          <Button variant="default" disabled={disabled} onClick={() => input.current?.click()}>
            {m.data_upload_browse()}
          </Button>
          <p className="dim">{m.data_upload_accepts()}</p>
        </>
      ) : (
        <>
          <IconFileSpreadsheet size={28} stroke={1.5} aria-hidden="true" />
          <p className="file-name">{file.name}</p>
          <p className="dim">{formatKilobytes(file.size)}</p>
          <Button variant="default" disabled={disabled} onClick={remove}>
            {m.data_upload_remove()}
          </Button>
        </>
      )}
    </section>
  );
}
