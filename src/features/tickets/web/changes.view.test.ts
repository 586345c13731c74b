import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { waitFor } from '#tests/support/wait.ts';
import { readChanged } from './changes.view.ts';

test('a running read is repeated right after its own end, whatever other reads take', async () => {
  const queries = new QueryClient();
  const reads = { list: 0, counts: 0 };
  const first = { list: Promise.withResolvers<void>(), counts: Promise.withResolvers<void>() };
  const stops = (['list', 'counts'] as const).map((name) =>
    new QueryObserver(queries, {
      queryKey: ['devices', name],
      queryFn: async () => {
        reads[name] += 1;
        if (reads[name] === 1) await first[name].promise;
        return reads[name];
      },
    }).subscribe(() => undefined),
  );
  assert.deepEqual(reads, { list: 1, counts: 1 });
  const changed = readChanged(queries);
  first.list.resolve();
  await waitFor('the list', async () => queries.getQueryData(['devices', 'list']) === 2);
  assert.deepEqual(reads, { list: 2, counts: 1 });
  first.counts.resolve();
  await changed;
  assert.deepEqual(reads, { list: 2, counts: 2 });
  for (const stop of stops) stop();
  queries.clear();
});
