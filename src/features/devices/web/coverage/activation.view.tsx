import { m } from '#shared/texts/messages.js';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';

/** A device's activation status, written in any case; a dash where it is not known. */
export function Activation({ status }: { status: string | null }) {
  const activation = status?.toLowerCase();
  if (activation !== 'activated' && activation !== 'unactivated') return '–';
  const isActivated = activation === 'activated';
  const words = isActivated ? m.data_activated() : m.data_unactivated();
  return (
    <StatusBadge
      tone={isActivated ? 'green' : 'grey'}
      mark={isActivated ? 'check' : 'minus'}
      title={words}
      text={words}
    />
  );
}
