import { z } from 'zod';
import type { Coverage } from '#features/sources/sources.contract.ts';
import { readDay } from '../../responses/dates.ts';
import { readText } from '../../responses/read-coverage.ts';

const text = z.unknown().optional().transform(readText);

/** The used part of GSX's answer about a device. */
export const deviceAnswer = z.object({
  device: z.object({
    productDescription: text,
    configDescription: text,
    warrantyInfo: z
      .object({
        warrantyStatusDescription: text,
        purchaseDate: z.unknown().optional(),
        coverageStartDate: z.unknown().optional(),
        coverageEndDate: z.unknown().optional(),
        contractCoverageStartDate: z.unknown().optional(),
        contractCoverageEndDate: z.unknown().optional(),
      })
      .nullable()
      .catch(null),
    activationDetails: z.object({ firstActivationDate: z.unknown().optional() }).nullable().catch(null),
  }),
});
type Device = z.infer<typeof deviceAnswer>['device'];

/**
 * Returns the coverage of a device: Apple's warranty and a service contract together, from the first day to the last.
 */
export function toCoverage(device: Device, timezone: string): Coverage {
  const { warrantyInfo } = device;
  const days = (...values: unknown[]) =>
    values
      .map((value) => readDay(value, timezone))
      .filter((day) => day !== null)
      .sort();
  const starts = days(warrantyInfo?.coverageStartDate, warrantyInfo?.contractCoverageStartDate);
  const ends = days(warrantyInfo?.coverageEndDate, warrantyInfo?.contractCoverageEndDate);
  return {
    type: device.productDescription ?? device.configDescription,
    activation_status: readActivation(device.activationDetails, timezone),
    purchase_date: readDay(warrantyInfo?.purchaseDate, timezone),
    warranty_title: warrantyInfo?.warrantyStatusDescription ?? null,
    coverage_start_date: starts[0] ?? null,
    coverage_end_date: ends.at(-1) ?? null,
  };
}

/** Details without a first activation mean never activated. Without details the activation is unknown. */
function readActivation(
  details: Device['activationDetails'],
  timezone: string,
): Coverage['activation_status'] {
  if (details === null) return null;
  const first = details.firstActivationDate;
  if (first === undefined || first === null || first === '') return 'unactivated';
  return readDay(first, timezone) === null ? null : 'activated';
}
