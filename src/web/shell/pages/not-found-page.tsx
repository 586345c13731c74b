import { IconMapOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { useLanguage } from '#web/preferences/language.ts';
import { MessageState } from '#web/ui/feedback/message-state.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import panels from '#web/ui/layout/panel.module.css';

export function NotFoundPage({ text = m.common_not_found_text() }: { text?: string }) {
  useLanguage();
  return (
    <>
      <PageHeader title={m.common_not_found()} />
      <div className={panels.panel}>
        <MessageState
          icon={IconMapOff}
          title={text}
          action={<Link to={paths.home}>{m.common_go_home()}</Link>}
        />
      </div>
    </>
  );
}
