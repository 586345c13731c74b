import { Button, Checkbox, TextInput } from '@mantine/core';
import { IconBookmark, IconPencil } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { createView, deleteView, updateView } from '#features/devices/views.contract.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { useUser } from '#web/client/session.ts';
import { useLastFound } from '#web/client/use-last-found.ts';
import { useStoredForm } from '#web/client/use-stored-form.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { PartNotRead } from '#web/ui/feedback/part-not-read.tsx';
import { Chip, Chips } from '#web/ui/field/chip.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { type ListedView, viewCountsQuery, viewsKey, viewsQuery } from './views.api.ts';

type Props = {
  /** The filters and the order of the devices on screen. */
  query: string;
  opened: string;
  onOpen: (view: Pick<ListedView, '_id' | 'query' | 'company_code'> | null) => void;
};

/** The saved views with their counts as chips, the buttons that save and change one, and the form that they open. */
export function useDeviceViews({ query, opened, onOpen }: Props) {
  const read = useQuery(viewsQuery);
  const { data, isPending } = read;
  const { data: counts } = useQuery(viewCountsQuery);
  const queries = useQueryClient();
  /** The open form, and the view that it changes: undefined for a new one. */
  const [form, setForm] = useState<{ id: string | undefined } | null>(null);
  const views = data?.data ?? [];
  const changed = useLastFound(views, ({ _id }) => _id === form?.id);
  const view = views.find(({ _id }) => _id === opened);
  const reload = () => queries.invalidateQueries({ queryKey: viewsKey });
  const button = (id: string | undefined, label: string, Icon: typeof IconPencil) => (
    <Button
      variant="subtle"
      leftSection={<Icon size={16} aria-hidden="true" />}
      onClick={() => setForm({ id })}
    >
      {label}
    </Button>
  );
  return {
    isPending,
    chips: (
      <>
        <PartNotRead read={read} name={m.devices_views()} />
        {views.length > 0 && (
          <div className={layout.row}>
            <Chips label={m.devices_views()}>
              {views.map((one) => (
                <Chip
                  key={one._id}
                  label={one.own ? one.name : m.devices_view_of({ name: one.name, owner: one.owner })}
                  count={counts?.[one._id]}
                  pressed={one === view}
                  onPress={(press) => onOpen(press ? one : null)}
                />
              ))}
            </Chips>
          </div>
        )}
      </>
    ),
    buttons: (
      <>
        {button(undefined, m.devices_view_save(), IconBookmark)}
        {view?.own && button(view._id, m.devices_view_change(), IconPencil)}
      </>
    ),
    dialog: form !== null && (
      <ViewForm
        query={query}
        view={changed}
        onSaved={(saved) => {
          void reload();
          onOpen(saved);
        }}
        onClose={() => setForm(null)}
      />
    ),
  };
}

type FormProps = {
  query: string;
  view: ListedView | undefined;
  onSaved: (view: Pick<ListedView, '_id' | 'query' | 'company_code'> | null) => void;
  onClose: () => void;
};

type Settings = Pick<ListedView, 'name' | 'shared'>;

const newView: Settings = { name: '', shared: false };
const valuesOf = ({ name, shared }: Settings) => ({ name, shared });

function ViewForm({ query, view, onSaved, onClose }: FormProps) {
  const { superadmin } = useUser();
  const { form, edited } = useStoredForm({ stored: view ?? newView, valuesOf });
  const [isDeleting, setDeleting] = useState(false);
  const save = async () => {
    const saved = await (view
      ? call<typeof updateView>('PUT /views/{id}', { params: { id: view._id }, body: { ...edited, query } })
      : call<typeof createView>('POST /views', { body: { screen: 'devices', ...form.values, query } }));
    onSaved(saved.view);
  };
  if (isDeleting && view) {
    return (
      <ConfirmDialog
        title={m.devices_view_delete()}
        text={m.devices_view_delete_text({ name: view.name })}
        confirmLabel={m.devices_view_delete()}
        busyLabel={m.devices_view_deleting()}
        fallback={m.devices_view_delete_failed()}
        onConfirm={async () => {
          await call<typeof deleteView>('DELETE /views/{id}', { params: { id: view._id } });
          onSaved(null);
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title={view ? m.devices_view_change() : m.devices_view_save()}
      submitLabel={m.devices_view_save()}
      busyLabel={m.devices_view_saving()}
      fallback={m.devices_view_failed()}
      form={form}
      onSubmit={save}
      onClose={onClose}
      other={view && { label: m.devices_view_delete(), onPress: () => setDeleting(true) }}
    >
      <TextInput label={m.devices_view_name()} required maxLength={100} {...form.getInputProps('name')} />
      <Checkbox
        label={superadmin ? m.devices_view_shared_superadmins() : m.devices_view_shared()}
        {...form.getInputProps('shared', { type: 'checkbox' })}
      />
      <p className={typography.dim}>{m.devices_view_takes()}</p>
    </FormDialog>
  );
}
