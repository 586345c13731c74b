import { IconCircleCheck, IconClock, IconUserCircle } from '@tabler/icons-react';
import { m } from '#shared/texts/messages.js';
import { formatFullDate } from '#web/format.ts';
import { useUser } from '#web/session.ts';
import { PageHeader } from '#web/ui/page-header.tsx';
import { StatCard } from '#web/ui/stat-card.tsx';
import { greet } from './greeting.ts';
import { Now } from './now.tsx';
import { Pictures } from './pictures.tsx';
import { QuickLinks } from './quick-links.tsx';

/** The welcome screen. */
export function Component() {
  const user = useUser();
  const now = new Date();
  return (
    <div className="stack">
      <PageHeader
        title={greet(user, now.getHours())}
        documentTitle={m.common_menu_home()}
        subtitle={formatFullDate(now)}
      />
      <div className="cards home-cards">
        <StatCard
          label={m.home_account_type()}
          value={user.superadmin ? m.home_super_admin() : m.common_role_user()}
          hint={user.superadmin ? m.home_administrator() : m.home_standard_user()}
          icon={<IconUserCircle size={18} />}
        />
        <StatCard label={m.home_last_login()} value={m.home_just_now()} icon={<IconClock size={18} />} />
        <StatCard label={m.home_status()} value={m.home_active()} icon={<IconCircleCheck size={18} />} />
      </div>
      <Now superadmin={user.superadmin} />
      <QuickLinks superadmin={user.superadmin} />
      <Pictures />
    </div>
  );
}
