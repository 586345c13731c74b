import { SerialData } from '#features/results/web/serial-data.tsx';
import { m } from '#shared/texts/messages.js';
import { oneOf, useUrlState, whole } from '#web/address/search-params.ts';
import { OnDemand } from '#web/shell/pages/on-demand.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Tabs } from '#web/ui/layout/tabs.tsx';

const loadUploaded = () => import('./uploaded-data.tsx');

const address = { view: oneOf(['serial', 'uploaded'], 'serial'), page: whole(1) };

/** Data Management: the results of a ticket, and the rows as they were uploaded. */
export function Component() {
  const [{ view }, setState] = useUrlState(address);
  return (
    <>
      <PageHeader title={m.data_title()} subtitle={m.data_subtitle()} />
      <Tabs
        label={m.data_views()}
        tabs={[
          { value: 'serial', label: m.data_serial_data() },
          { value: 'uploaded', label: m.data_uploaded_data() },
        ]}
        value={view}
        onChange={(next, how) => setState({ view: next, page: 1 }, how)}
      >
        {view === 'serial' ? <SerialData /> : <OnDemand load={loadUploaded} props={{}} />}
      </Tabs>
    </>
  );
}
