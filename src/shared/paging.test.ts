import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describePage } from './describe-page.ts';
import { pagingQuery } from './paging.ts';

it('describes first, last, empty and past-the-end pages', () => {
  assert.deepEqual(describePage(1, 10, 25), {
    page: 1,
    limit: 10,
    totalPages: 3,
    totalItems: 25,
    hasNextPage: true,
    hasPrevPage: false,
  });
  assert.equal(describePage(3, 10, 25).hasNextPage, false);
  assert.equal(describePage(1, 10, 0).totalPages, 0);
  assert.deepEqual(describePage(9, 10, 25).hasNextPage, false);
});

it('takes pages from 1 and limits from 1 to 1000', () => {
  assert.deepEqual(pagingQuery.parse({}), { page: 1, limit: 10 });
  assert.deepEqual(pagingQuery.parse({ page: '007', limit: '1000' }), { page: 7, limit: 1000 });
  for (const bad of [
    ...[{ page: '0' }, { page: '1.5' }, { page: '1e1' }, { page: ' 1' }, { page: ['1'] }, { page: '-1' }],
    ...[{ limit: '0' }, { limit: '1001' }, { limit: 'ten' }, { limit: '0x10' }],
  ]) {
    assert.equal(pagingQuery.safeParse(bad).success, false, JSON.stringify(bad));
  }
});
