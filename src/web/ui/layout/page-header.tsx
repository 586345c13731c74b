import type { ReactNode } from 'react';
import { useTitlePercent } from '#web/format/title-percent.ts';
import './page-header.css';

type Props = {
  title: string;
  subtitle?: ReactNode;
  actions?: ReactNode;
  /** Names the browser's tab where `title` would not do. */
  documentTitle?: string;
  /** How far the screen's own work is; otherwise the tab tells how far the work under way is, if any. */
  percent?: number | undefined;
};

/** The head of a screen: its one `h1`, what it is for, its actions; also names the browser's tab. */
export function PageHeader({ title, subtitle, actions, documentTitle, percent }: Props) {
  const workUnderWay = useTitlePercent();
  const shown = percent ?? workUnderWay;
  return (
    <header className="page-header">
      <title>{`${shown === null ? '' : `${shown}% · `}${documentTitle ?? title} · Coverdesk`}</title>
      <div>
        <h1>{title}</h1>
        {subtitle !== undefined && <p className="dim">{subtitle}</p>}
      </div>
      {actions !== undefined && <div className="row">{actions}</div>}
    </header>
  );
}
