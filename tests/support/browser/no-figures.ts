import type { readDeviceFigures } from '#features/devices/devices.contract.ts';
import type { Answer } from '#shared/endpoint.ts';

/** The figures of a register without devices. */
export const noFigures: Answer<typeof readDeviceFigures> = {
  all: 0,
  activated: 0,
  unactivated: 0,
  unknown: 0,
  expired: 0,
  ending_30: 0,
  ending_60: 0,
  ending_90: 0,
  ending_180: 0,
  covered: 0,
  never_covered: 0,
  ending_months: [],
  changed_7: 0,
  changed_30: 0,
  since_7: '2026-11-18',
  since_30: '2026-10-26',
  types: [],
  warranties: [],
  sources: [],
};
