import { type ReactNode, useEffect } from 'react';
import { useTitlePercent } from '#web/format/title-percent.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import styles from './page-header.module.css';
import { setScreenName } from './screen-name.ts';

type Props = {
  title: string;
  /** The number of the ticket that the title names, in small. */
  number?: string | undefined;
  subtitle?: ReactNode;
  actions?: ReactNode;
  documentTitle?: string;
  /** The percent in the tab's title; by default that of a running upload. */
  percent?: number | undefined;
};

/** The head of a screen: its `h1`, subtitle and actions. Also sets the browser tab's title. */
export function PageHeader({ title, number, subtitle, actions, documentTitle, percent }: Props) {
  const workUnderWay = useTitlePercent();
  const progress = percent ?? workUnderWay;
  const name = number === undefined ? title : `${title} #${number}`;
  useEffect(() => {
    setScreenName(name);
    return () => setScreenName('');
  }, [name]);
  return (
    <header className={styles.pageHeader}>
      <title>{`${progress === null ? '' : `${progress}% · `}${documentTitle ?? name} · Coverdesk`}</title>
      <div>
        <h1>
          {title}
          {number !== undefined && <small className={typography.dim}> #{number}</small>}
        </h1>
        {subtitle !== undefined && <p className={typography.dim}>{subtitle}</p>}
      </div>
      {actions !== undefined && <div className={layout.row}>{actions}</div>}
    </header>
  );
}
