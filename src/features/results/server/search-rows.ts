import type { TicketRow } from '#features/tickets/server/tickets.service.ts';
import type { Db } from '#server/db.ts';
import { normalisePart } from '#shared/search.ts';
import type { RowFilter, SerialRow } from './coverage-rows.ts';
import { KeptAnswers } from './kept-answers.ts';
import {
  countFoundRows,
  listFoundPositions,
  listFoundRows,
  listRowsAt,
  type SearchedText,
} from './results.queries.ts';

/** A question is short and an answer has at most a page of positions: some megabytes at most. */
const mostKept = 500;

export type Page = { offset: number; limit: number };

/** Finds the rows of tickets by a part of their serial; one for the whole process. */
export class RowSearches {
  readonly #totals = new KeptAnswers<number>(mostKept);
  readonly #positions = new KeptAnswers<number[]>(mostKept);

  /**
   * One page of the rows whose serial holds what was typed. Which rows those are is found out once: a ticket's rows
   * come and go with its import and its deletion alone, while their outcomes change all the time.
   */
  async find(
    db: Db,
    ticket: TicketRow,
    filter: RowFilter,
    q: string,
    { offset, limit }: Page,
  ): Promise<{ rows: SerialRow[]; total: number }> {
    const search = { ticketId: ticket.id, filter, searched: readSearch(q) };
    // Which rows are in a state changes with every outcome.
    if (filter) {
      const total = await countFoundRows(db, search);
      return { rows: offset < total ? await listFoundRows(db, search, limit, offset) : [], total };
    }
    const question = [ticket.id, ticket.total, ticket.serial_deleted, search.searched];
    const total = await this.#totals.get(JSON.stringify(question), () => countFoundRows(db, search));
    if (offset >= total) return { rows: [], total };
    const positions = await this.#positions.get(JSON.stringify([question, offset, limit]), () =>
      listFoundPositions(db, search, limit, offset),
    );
    return { rows: await listRowsAt(db, ticket.id, positions), total };
  }
}

function readSearch(q: string): SearchedText {
  return { part: normalisePart(q) || null, cell: q.replace(/[\s\p{Cf}]/gu, '') };
}
