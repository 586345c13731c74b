import { m } from '#shared/texts/messages.js';
import { useLanguage } from '#web/preferences/language.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { NotFetched } from './not-fetched.tsx';

export function ScreenError() {
  useLanguage();
  return (
    <>
      <PageHeader title={m.common_screen_failed()} />
      <div className="panel">
        <NotFetched />
      </div>
    </>
  );
}
