import { useState } from 'react';
import type { listDevices } from '#features/devices/devices.contract.ts';
import { call } from '#web/client/api-client.ts';
import { ApiFailure } from '#web/client/failure.ts';

/** Keeps which selected devices no longer exist. The list deselects those of `gone`. */
export function useGoneDevices() {
  const [gone, setGone] = useState<readonly string[]>([]);
  /** Sends a change of selected devices. If it is refused because some are gone, the others can be changed next. */
  const change = async (ids: readonly string[] | undefined, send: () => Promise<unknown>) => {
    try {
      await send();
    } catch (failure) {
      const isOutdated = failure instanceof ApiFailure && failure.code === 'other_count';
      // If they cannot be found, the refusal itself says enough.
      if (isOutdated && ids) setGone(await findGone(ids).catch(() => []));
      throw failure;
    }
  };
  return { gone, setGone, change };
}

async function findGone(ids: readonly string[]): Promise<string[]> {
  const query = { ids: ids.join(','), limit: ids.length };
  const { data } = await call<typeof listDevices>('GET /devices', { query });
  const present = new Set(data.map(({ _id }) => _id));
  return ids.filter((id) => !present.has(id));
}
