import { z } from 'zod';
import { calendarDay, companyFilter, queryNumber, ticketNumber } from './answers.ts';
import { type Filter, type Filters, farthestEnd, type ValueOf } from './filters.ts';
import { maxSearchLength } from './search.ts';

const schemas: Record<Filter['kind'], (choices: string[]) => z.ZodType> = {
  choice: (choices) => z.enum(choices),
  flag: (choices) => z.enum(choices),
  search: () => z.string().trim().max(maxSearchLength),
  text: () => z.string().max(maxSearchLength),
  day: () => calendarDay,
  days: () => queryNumber(1, farthestEnd),
  ticket: () => ticketNumber,
  company: () => companyFilter,
};

/** Returns the parameters of a call by which a list is filtered. */
export function queryOf<F extends Filters>(filters: F) {
  const parameters = Object.entries(filters).map(([name, { kind, about, example, choices = {} }]) => {
    const meta = { description: about, ...(example !== undefined && { examples: [example] }) };
    return [name, schemas[kind](Object.keys(choices)).optional().meta(meta)];
  });
  return Object.fromEntries(parameters) as {
    [Name in keyof F]: z.ZodOptional<z.ZodType<ValueOf<F[Name]>, ValueOf<F[Name]>>>;
  };
}
