import { Tabs } from '@mantine/core';
import '@mantine/core/styles/Tabs.layer.css';
import { m } from '#shared/texts/messages.js';
import { oneOf, text, useUrlState, whole } from '#web/search-params.ts';
import { PageHeader } from '#web/ui/page-header.tsx';
import { SerialData } from './serial-data.tsx';
import { UploadedData } from './uploaded-data.tsx';

const address = { view: oneOf(['serial', 'uploaded'], 'serial'), ticket: text(), page: whole(1) };

/** Data Management: the results of a ticket, and the rows as they were uploaded. */
export function Component() {
  const [{ view }, setState] = useUrlState(address);
  return (
    <>
      <PageHeader title={m.data_title()} subtitle={m.data_subtitle()} />
      <Tabs
        value={view}
        onChange={(next) => setState({ view: next === 'uploaded' ? 'uploaded' : 'serial', page: 1 })}
        keepMounted={false}
      >
        <Tabs.List aria-label={m.data_views()}>
          <Tabs.Tab value="serial">{m.data_serial_data()}</Tabs.Tab>
          <Tabs.Tab value="uploaded">{m.data_uploaded_data()}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="serial">
          <SerialData />
        </Tabs.Panel>
        <Tabs.Panel value="uploaded">
          <UploadedData />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
