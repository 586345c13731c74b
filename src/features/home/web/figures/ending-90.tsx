import { Link } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { formatNumber } from '#web/format/format.ts';

/** A link to the devices whose coverage ends within 90 days; nothing without any. */
export function Ending90({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <Link to={paths.devicesOf('ends_within=90&sort=coverage_end_date')}>
      {m.home_ending_90({ number: formatNumber(count) })}
    </Link>
  );
}
