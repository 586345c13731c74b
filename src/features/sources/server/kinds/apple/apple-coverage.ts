import { z } from 'zod';
import type { Coverage } from '#features/sources/sources.contract.ts';
import { readDay } from '../../responses/dates.ts';
import { readText } from '../../responses/read-coverage.ts';

const text = z.unknown().optional().transform(readText);

/** One AppleCare agreement or warranty of a device, as Apple Business and School Manager describe it. */
const agreement = z.object({
  attributes: z.object({
    status: text,
    paymentType: text,
    description: text,
    startDateTime: z.unknown().optional(),
    endDateTime: z.unknown().optional(),
    isCanceled: z.boolean().catch(false),
    contractCancelDateTime: z.unknown().optional(),
  }),
});
export type Agreement = z.infer<typeof agreement>;

const agreementList = z.object({ data: z.array(z.unknown()) });

/** The agreements in an answer, without what is none; undefined for an answer of another shape. */
export function readAgreements(body: unknown): Agreement[] | undefined {
  return agreementList.safeParse(body).data?.data.flatMap((entry) => agreement.safeParse(entry).data ?? []);
}

/** A device of the organisation as the index keeps it. `ordered` is Apple's order date as it came. */
export type IndexedDevice = { deviceId: string; model: string | null; ordered: string | null };

/**
 * What is known about a device of the organisation. Whether it was activated Apple does not say here, so that stays
 * unknown. Of several agreements the one with the latest end counts, from the earliest start of all.
 */
export function toCoverage(device: IndexedDevice, agreements: Agreement[], timezone: string): Coverage {
  const all = agreements.map(({ attributes }) => ({
    title: attributes.description,
    start: readDay(attributes.startDateTime, timezone),
    ...readEnd(attributes, timezone),
  }));
  const winner = all.reduce<(typeof all)[number] | undefined>(
    (best, next) => (best === undefined || isLater(next, best) ? next : best),
    undefined,
  );
  const starts = all.flatMap(({ start }) => (start === null ? [] : [start])).sort();
  return {
    type: device.model,
    activation_status: null,
    purchase_date: readDay(device.ordered, timezone),
    warranty_title: winner?.title ?? null,
    coverage_start_date: starts[0] ?? null,
    coverage_end_date: winner?.end ?? null,
  };
}

/**
 * When an agreement ends. A canceled one ends when its contract was canceled; a subscription that runs has no end,
 * since the date that Apple may show there is only when it renews itself.
 */
function readEnd(
  { status, paymentType, endDateTime, isCanceled, contractCancelDateTime }: Agreement['attributes'],
  timezone: string,
): { end: string | null; open: boolean } {
  if (isCanceled) return { end: readDay(contractCancelDateTime, timezone), open: false };
  const isActive = status === 'ACTIVE';
  if (isActive && paymentType?.endsWith('SUBSCRIPTION')) return { end: null, open: true };
  const end = readDay(endDateTime, timezone);
  return { end, open: isActive && end === null };
}

type End = { end: string | null; open: boolean };

/** Open ones run longer than any date; an end that nobody knows is the least. */
function isLater(one: End, other: End): boolean {
  if (one.open !== other.open) return one.open;
  return (one.end ?? '') > (other.end ?? '');
}
