import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { m } from '#shared/texts/messages.js';
import typography from '#web/styles/typography.module.css';
import { type Read, ReadState } from '#web/ui/feedback/read-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import styles from './client-page.module.css';

/** In pixels: three lines of facts, so that most parts are as high as while they load. */
const partHeight = 144;

/** One line of a short list: its name, which may lead somewhere, and words beside it. */
type Line = { key: string; name: string; to?: string; note: ReactNode };

type Props<T> = {
  title: string;
  read: Read<T>;
  /** The screen that has all of it. */
  to: string;
  linesOf: (data: T) => Line[];
};

/** The newest of a list, which leads to the screen of all. */
export function ShortList<T>({ title, read, to, linesOf }: Props<T>) {
  return (
    <Part title={title} read={read} to={to}>
      {(data) => {
        const lines = linesOf(data);
        if (lines.length === 0) return <p className={typography.dim}>{m.clients_none()}</p>;
        return (
          <ul className={styles.shortList}>
            {lines.map(({ key, name, to: address, note }) => (
              <li key={key}>
                <span>{address ? <Link to={address}>{name}</Link> : name}</span>
                <span className={typography.dim}>{note}</span>
              </li>
            ))}
          </ul>
        );
      }}
    </Part>
  );
}

type PartProps<T> = {
  title: string;
  read: Read<T>;
  to?: string;
  toolbar?: ReactNode;
  children: (data: T) => ReactNode;
};

/** A part of the page with its own read. */
export function Part<T>({ title, read, to, toolbar, children }: PartProps<T>) {
  return (
    <Panel
      title={title}
      toolbar={
        toolbar ??
        (to && (
          <Link to={to} aria-label={m.clients_all_of({ list: title })}>
            {m.clients_show_all()}
          </Link>
        ))
      }
    >
      <div style={{ minHeight: partHeight }}>
        <ReadState read={read}>
          {(data) => (data === undefined ? <Skeleton height={partHeight} /> : children(data))}
        </ReadState>
      </div>
    </Panel>
  );
}
