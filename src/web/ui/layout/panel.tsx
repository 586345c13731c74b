import { type ReactNode, useId } from 'react';
import './panel.css';

type Props = {
  title?: ReactNode;
  note?: ReactNode;
  toolbar?: ReactNode;
  /** A line between head and content, for filters. */
  bar?: ReactNode;
  footer?: ReactNode;
  /** Lets the content reach the panel's edges, as a table does. */
  flush?: boolean;
  children: ReactNode;
};

export function Panel({ title, note, toolbar, bar, footer, flush = false, children }: Props) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={title === undefined ? undefined : id}>
      {(title !== undefined || toolbar !== undefined) && (
        <div className="panel-head">
          {title !== undefined && (
            <div className="panel-title">
              <h2 id={id}>{title}</h2>
              {note}
            </div>
          )}
          {toolbar !== undefined && <div className="row">{toolbar}</div>}
        </div>
      )}
      {bar !== undefined && <div className="panel-bar">{bar}</div>}
      <div className={flush ? 'panel-body flush' : 'panel-body'}>{children}</div>
      {footer !== undefined && <div className="panel-foot">{footer}</div>}
    </section>
  );
}
