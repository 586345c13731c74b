import { z } from 'zod';
import type { Coverage } from '#features/sources/sources.contract.ts';
import { readDay } from '../../responses/dates.ts';
import { readText } from '../../responses/read-coverage.ts';

const text = z.unknown().optional().transform(readText);

/** An AppleCare agreement or warranty of a device, as Apple describes it. */
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

/** Reads the agreements in an answer, and skips unreadable ones. Returns undefined for an answer of another shape. */
export function readAgreements(body: unknown): Agreement[] | undefined {
  return agreementList.safeParse(body).data?.data.flatMap((entry) => agreement.safeParse(entry).data ?? []);
}

/** A device in the index. `ordered` is Apple's order date, unparsed. */
export type IndexedDevice = { deviceId: string; model: string | null; ordered: string | null };

/**
 * Returns the coverage of a device. Apple does not report activation here. Of several agreements the one that ends
 * last counts, from the earliest start of all.
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
 * Returns the end of an agreement. A canceled one ended when its contract was canceled. A running subscription has no
 * end, because Apple's date is only its next renewal.
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

/** Open ends are later than any date. An unknown end is earlier than any. */
function isLater(one: End, other: End): boolean {
  if (one.open !== other.open) return one.open;
  return (one.end ?? '') > (other.end ?? '');
}
