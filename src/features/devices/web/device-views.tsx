import { Button } from '@mantine/core';
import { IconBookmark, IconPencil } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { Chip, Chips } from '#web/ui/field/chip.tsx';
import { ViewForm } from './view-form.tsx';
import { type CountedView, viewsQuery } from './views.api.ts';

type Props = {
  /** The list as a query string. */
  shown: string;
  /** The `_id` of the view that the list began with; empty for none. */
  opened: string;
  onOpen: (view: Pick<CountedView, '_id' | 'query' | 'company_code'> | null) => void;
};

/** The saved views with their counts as chips, the buttons that save and change one, and the form that they open. */
export function useDeviceViews({ shown, opened, onOpen }: Props) {
  const { data, isPending } = useQuery(viewsQuery);
  const queries = useQueryClient();
  const [form, setForm] = useState<'new' | 'change' | null>(null);
  const views = data?.data ?? [];
  const view = views.find(({ _id }) => _id === opened);
  const reload = () => queries.invalidateQueries({ queryKey: viewsQuery.queryKey });
  const button = (what: 'new' | 'change', label: string, Icon: typeof IconPencil) => (
    <Button
      variant="subtle"
      leftSection={<Icon size={16} aria-hidden="true" />}
      onClick={() => setForm(what)}
    >
      {label}
    </Button>
  );
  return {
    isPending,
    chips: views.length > 0 && (
      <div className="row">
        <Chips label={m.devices_views()}>
          {views.map((one) => (
            <Chip
              key={one._id}
              label={one.own ? one.name : m.devices_view_of({ name: one.name, owner: one.owner })}
              count={one.count}
              pressed={one === view}
              onPress={(press) => onOpen(press ? one : null)}
            />
          ))}
        </Chips>
      </div>
    ),
    buttons: (
      <>
        {button('new', m.devices_view_save(), IconBookmark)}
        {view?.own && button('change', m.devices_view_change(), IconPencil)}
      </>
    ),
    dialog: form !== null && (
      <ViewForm
        shown={shown}
        view={form === 'change' ? view : undefined}
        onSaved={async (saved) => {
          await reload();
          onOpen(saved);
        }}
        onClose={() => setForm(null)}
      />
    ),
  };
}
