import { int8, text } from './column-types.ts';
import { statement } from './statement.ts';

/**
 * Takes the next number of a gapless counter, from 1. The counter stays locked until the transaction ends, so call this
 * as late as possible.
 * @param name `ticket`, `client:ACM`, `proxy-set:20261121`
 */
export const takeNumber = statement({
  text: `INSERT INTO counters (name, value) VALUES (:name, 1)
     ON CONFLICT (name) DO UPDATE SET value = counters.value + 1
     RETURNING value`,
  params: { name: text },
  row: { value: int8 },
});
