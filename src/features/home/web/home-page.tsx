import { useQuery } from '@tanstack/react-query';
import { InactiveNotice } from '#features/clients/web/inactive-notice.view.tsx';
import { m } from '#shared/texts/messages.js';
import { oneOf, text, useUrlState } from '#web/address/search-params.ts';
import { useNow } from '#web/browser/use-now.ts';
import { useUser } from '#web/client/session.ts';
import { formatFullDate } from '#web/format/format.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { AccountStrip } from './account-strip.tsx';
import { FigureCharts } from './figures/figure-charts.tsx';
import { FigureDialog } from './figures/figure-dialog.tsx';
import { greet } from './greeting.ts';
import { figures, homeSummaryQuery } from './home.api.ts';
import { Now } from './now/now.tsx';
import { QuickLinks } from './quick-links.tsx';

const address = { figure: oneOf(['', ...figures], ''), period: text() };

export function Component() {
  const user = useUser();
  // The greeting and the date follow the clock on a page that stays open.
  const now = new Date(useNow(60_000));
  const [{ figure, period }, setState] = useUrlState(address);
  const { data: summary } = useQuery(homeSummaryQuery);
  return (
    <div className="stack">
      <PageHeader
        title={greet(user, now.getHours())}
        documentTitle={m.common_menu_home()}
        subtitle={formatFullDate(now)}
      />
      {!user.superadmin && <InactiveNotice />}
      <Now superadmin={user.superadmin} />
      <AccountStrip user={user} summary={summary} />
      <QuickLinks superadmin={user.superadmin} />
      <FigureCharts />
      {figure !== '' && (
        <FigureDialog
          figure={figure}
          period={period}
          onClose={() => setState({ figure: '', period: '' }, { replace: true })}
        />
      )}
    </div>
  );
}
