import type { ReactNode } from 'react';
import './page-header.css';

type Props = { title: string; subtitle?: ReactNode; actions?: ReactNode; documentTitle?: string };

/** The head of a screen: its one `h1`, what it is for, its actions; also names the browser's tab. */
export function PageHeader({ title, subtitle, actions, documentTitle }: Props) {
  return (
    <header className="page-header">
      <title>{`${documentTitle ?? title} · Coverdesk`}</title>
      <div>
        <h1>{title}</h1>
        {subtitle !== undefined && <p className="dim">{subtitle}</p>}
      </div>
      {actions !== undefined && <div className="row">{actions}</div>}
    </header>
  );
}
