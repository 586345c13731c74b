import { IconMapOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { useLanguage } from '#web/preferences/language.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import '#web/ui/feedback/message-state.css';

/** An address inside the dashboard where there is no screen, or none any more. */
export function NotFoundPage({ text = m.common_not_found_text() }: { text?: string }) {
  useLanguage();
  return (
    <>
      <PageHeader title={m.common_not_found()} />
      <div className="panel message-state">
        <IconMapOff size={32} stroke={1.5} aria-hidden="true" />
        <p className="message-title">{text}</p>
        <div className="row">
          <Link to={paths.home}>{m.common_go_home()}</Link>
        </div>
      </div>
    </>
  );
}
