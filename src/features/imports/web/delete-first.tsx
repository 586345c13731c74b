import { m } from '#shared/texts/messages.js';
import typography from '#web/styles/typography.module.css';
import { Banner } from '#web/ui/feedback/banner.tsx';

/** Asks in both languages to delete previous data first, in one line as long as there is none. */
export function DeleteFirst({ hasData }: { hasData: boolean }) {
  const english = <span lang="en">{m.data_delete_first({}, { locale: 'en' })}</span>;
  const indonesian = <span lang="id">{m.data_delete_first({}, { locale: 'id' })}</span>;
  if (!hasData)
    return (
      <p className={typography.dim}>
        {english} {indonesian}
      </p>
    );
  return (
    <Banner tone="warning">
      <p>{english}</p>
      <p>{indonesian}</p>
    </Banner>
  );
}
