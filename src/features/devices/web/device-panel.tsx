import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useId, useState } from 'react';
import type { Device, forgetDevice, getDevice } from '#features/devices/devices.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { useSubmit } from '#web/client/submit.ts';
import { formatDay, formatInstant } from '#web/format/format.ts';
import buttons from '#web/styles/buttons.module.css';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { CopyButton } from '#web/ui/action/copy-button.tsx';
import { Serial } from '#web/ui/action/serial.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { FactList } from '#web/ui/layout/fact-list.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { SidePanel } from '#web/ui/overlay/side-panel.tsx';
import { Activation } from './coverage/activation.view.tsx';
import { Expiry } from './coverage/expiry.view.tsx';
import { describeChanges } from './describe-changes.view.ts';
import styles from './device-history.module.css';
import { deviceQuery } from './devices.api.ts';
import { DeviceFields, type UnsavedValues } from './fields/device-fields.tsx';
import { useFields } from './fields/fields.api.ts';

/** A ticket of a device, as the way to its page. */
export type DeviceTicket = ComponentType<{ deviceId: string; number: string }>;

type Props = {
  id: string;
  Ticket: DeviceTicket;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  checkAgain: ((serials: string[]) => Promise<void>) | undefined;
  unsavedValues: UnsavedValues;
  onForgotten: () => void;
  onClose: () => void;
};

export function DevicePanel(props: Props) {
  const { id, Ticket, onPrevious, onNext, checkAgain, unsavedValues, onForgotten, onClose } = props;
  const details = useQuery(deviceQuery(id));
  const queries = useQueryClient();
  const [isForgetting, setForgetting] = useState(false);
  const device = details.data?.device;
  return (
    <SidePanel
      title={device ? <Serial value={device.serial_number} /> : m.devices_title()}
      onPrevious={onPrevious}
      onNext={onNext}
      onClose={onClose}
    >
      <ReadState read={details}>
        {(known) =>
          known === undefined ? (
            <Skeleton height={320} />
          ) : (
            <>
              <FactList facts={listFacts(known.device)} />
              <DeviceFields device={known.device} unsaved={unsavedValues} />
              <DeviceHistory details={known} Ticket={Ticket} />
              <div className={layout.row}>
                {checkAgain && <CheckAgain onPress={() => checkAgain([known.device.serial_number])} />}
                <CopyButton
                  text={known.device.serial_number}
                  label={m.common_copy()}
                  name={m.common_copy_one({ text: known.device.serial_number })}
                />
                <Button
                  variant="default"
                  className={buttons.dangerOutline}
                  onClick={() => setForgetting(true)}
                >
                  {m.devices_forget()}
                </Button>
              </div>
            </>
          )
        }
      </ReadState>
      {isForgetting && device && (
        <ConfirmDialog
          title={m.devices_forget()}
          text={m.devices_forget_text({ serial: device.serial_number })}
          confirmLabel={m.devices_forget()}
          busyLabel={m.devices_forgetting()}
          fallback={m.devices_forget_failed()}
          onConfirm={async () => {
            await call<typeof forgetDevice>('DELETE /devices/{id}', { params: { id } });
            toast.success(m.devices_forgotten({ count: 1, number: '1' }));
            onForgotten();
            onClose();
            queries.removeQueries({ queryKey: ['devices', id] });
            void queries.invalidateQueries({ queryKey: ['devices'] });
          }}
          onClose={() => setForgetting(false)}
        />
      )}
    </SidePanel>
  );
}

function CheckAgain({ onPress }: { onPress: () => Promise<void> }) {
  const { busy, submit } = useSubmit({
    send: onPress,
    fallback: m.rechecks_device_failed(),
    onError: toast.error,
  });
  return (
    <Button
      leftSection={<IconRefresh size={16} aria-hidden="true" />}
      disabled={busy}
      onClick={() => submit()}
    >
      {busy ? m.rechecks_running() : m.rechecks_device()}
    </Button>
  );
}

function listFacts(device: Device) {
  return [
    [m.devices_company(), device.company_code],
    [m.data_type(), device.type ?? '–'],
    [m.data_status(), <Activation key="status" status={device.activation_status} />],
    [m.data_purchase_date(), formatDay(device.purchase_date)],
    [m.data_warranty(), device.warranty_title ?? '–'],
    [m.data_coverage_start(), formatDay(device.coverage_start_date)],
    [m.data_coverage_end(), formatDay(device.coverage_end_date)],
    [m.data_expires_in(), <Expiry key="expires" text={device.coverage_expires} />],
    [m.results_source(), device.source ?? '–'],
    [m.devices_first_seen(), formatInstant(device.first_seen)],
    [m.devices_last_checked(), formatInstant(device.last_checked)],
    [
      m.devices_changed_at(),
      device.changed_at === null ? m.devices_unchanged() : formatInstant(device.changed_at),
    ],
  ] as const;
}

/** The first answer about a device and each change of it, the newest first, and the tickets that had the device. */
function DeviceHistory({ details, Ticket }: { details: Answer<typeof getDevice>; Ticket: DeviceTicket }) {
  const { device, history, tickets } = details;
  const ticketsId = useId();
  const fields = useFields(device.company_code);
  const firstAnswer = history.find(({ source }) => source !== null);
  return (
    <>
      <section className={styles.deviceHistory}>
        <h3>{m.devices_history()}</h3>
        <ol>
          {history
            .map((entry, nth) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries of one import have the same instant
              <li key={nth}>
                <strong>{formatInstant(entry.at)}</strong>
                <span className={typography.dim}>
                  {entry.by?.email ?? entry.source ?? m.devices_fields()}
                </span>
                {entry.ticket_number !== null && (
                  <Ticket deviceId={device._id} number={entry.ticket_number} />
                )}
                <ul>
                  {describeChanges(entry.changes, entry === firstAnswer, fields).map((text) => (
                    <li key={text}>{text}</li>
                  ))}
                </ul>
              </li>
            ))
            .toReversed()}
        </ol>
      </section>
      <section className={styles.deviceHistory}>
        <h3 id={ticketsId}>{m.devices_tickets()}</h3>
        <ul aria-labelledby={ticketsId}>
          {tickets.map((number) => (
            <li key={number}>
              <Ticket deviceId={device._id} number={number} />
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
