import { z } from 'zod';
import { readIdentifiers } from '#shared/identifier.ts';
import { readText } from '../../responses/read-coverage.ts';
import type { DevicePage } from './apple-index.ts';

const text = z.unknown().optional().transform(readText);
const list = z
  .union([z.array(z.unknown()), z.unknown().transform((one) => [one])])
  .transform((values) => values.map(readText).filter((value) => value !== null));

const device = z.object({
  id: z.string().min(1),
  attributes: z.object({
    serialNumber: text,
    deviceModel: text,
    orderDateTime: text,
    imei: list.optional().default([]),
    meid: list.optional().default([]),
  }),
});

const links = z.object({ next: z.string().min(1) });
const paging = z.object({ paging: z.object({ nextCursor: z.string().min(1) }) });
const page = z.object({
  data: z.array(z.unknown()),
  links: links.optional().catch(undefined),
  meta: paging.optional().catch(undefined),
});

/** The attributes of a device that the index stores. */
export const deviceFields = 'serialNumber,deviceModel,orderDateTime,imei,meid';

/** Reads a page of an organisation's devices. Returns undefined for an answer of another shape. */
export function readDevicePage(body: unknown): DevicePage | undefined {
  const read = page.safeParse(body);
  if (!read.success) return undefined;
  const byIdentifier = new Map<string, DevicePage['devices'][number]>();
  for (const entry of read.data.data) {
    const { data } = device.safeParse(entry);
    if (!data) continue;
    const { serialNumber, imei, meid, deviceModel: model, orderDateTime: ordered } = data.attributes;
    for (const identifier of [serialNumber, ...imei, ...meid].flatMap(normalise)) {
      byIdentifier.set(identifier, { identifier, deviceId: data.id, model, ordered });
    }
  }
  return { devices: [...byIdentifier.values()], next: nextOf(body) };
}

/** Returns the query of the next page; null on the last page. */
export function nextOf(body: unknown): string | null {
  const { data } = page.safeParse(body);
  if (data?.links && URL.canParse(data.links.next, 'https://any')) {
    // Only its query, because a response must not choose the target of a request.
    return new URL(data.links.next, 'https://any').search.slice(1);
  }
  return data?.meta ? `cursor=${encodeURIComponent(data.meta.paging.nextCursor)}` : null;
}

/** Returns an identifier as rows have it. Apple may write it with spaces. */
function normalise(written: string | null): string[] {
  if (written === null) return [];
  const reading = readIdentifiers({ text: written, numeric: false });
  if (reading.kind === 'identifiers') return reading.identifiers.map(({ serial }) => serial);
  return [written.replaceAll(/\s/g, '').toUpperCase()];
}
