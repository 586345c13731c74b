import { useState } from 'react';
import type { DeviceFilter } from './device-filter.ts';

/** The filters that the search and the chips show. */
const atHand = ['q', 'ids', 'activation', 'ends_within', 'expired', 'never_covered', 'changed_since'];

/**
 * Returns whether the further filters are open, and its setter. They open whenever the address gets other values of them.
 */
export function useMoreFilters(filter: DeviceFilter) {
  const further = Object.entries(filter)
    .filter(([name, value]) => value !== '' && !atHand.includes(name))
    .join('&');
  const [isOpen, setOpen] = useState(further !== '');
  const [known, setKnown] = useState(further);
  if (further !== known) {
    setKnown(further);
    if (further !== '') setOpen(true);
  }
  return [isOpen, setOpen] as const;
}
