import type { TicketRow } from '#features/tickets/server/tickets.service.ts';
import type { Db, Queryable } from '#server/db.ts';
import type { Log } from '#server/log.ts';
import { normalisePart } from '#shared/search.ts';
import { KeptAnswers } from './kept-answers.ts';
import { KeptIndexes } from './kept-indexes.ts';
import { type Narrowing, narrow, type Sorting } from './narrowing.ts';
import { pickPositions } from './pick-positions.ts';
import { PositionSet, setOf } from './position-set.ts';
import type { SearchedText } from './results.queries.ts';
import { readSearchedPositions } from './row-index.queries.ts';
import { loadSerialRanks, type RowIndex } from './row-index.ts';

/** An answer has a bit for each row of a ticket: 125 KB for a million. */
const mostSearches = 200;
/** Four bytes a row. */
const mostRanks = 4;

export type Page = { offset: number; limit: number };

/** What is asked for: rows, their order, and the day that expiry counts from. */
export type RowQuestion = Narrowing & Sorting & { today: string };

/** Finds and counts the rows of tickets; one for the whole process. */
export class RowSearches {
  readonly #indexes: KeptIndexes;
  readonly #searched = new KeptAnswers<PositionSet>(mostSearches);
  readonly #ranks = new KeptAnswers<Int32Array>(mostRanks);

  constructor(log: Pick<Log, 'warn'>) {
    this.#indexes = new KeptIndexes(log);
  }

  index(db: Db, ticket: TicketRow): Promise<RowIndex> {
    return this.#indexes.get(db, ticket);
  }

  /** The positions of one page of the rows that are asked for, and how many such rows there are. */
  async find(db: Db, ticket: TicketRow, question: RowQuestion, page: Page) {
    const { q, sort, positions: listed, today } = question;
    const [index, searched] = await Promise.all([
      this.index(db, ticket),
      q ? this.#search(db, ticket, q) : undefined,
    ]);
    const among = searched ? [searched] : [];
    if (listed !== undefined) among.push(setOf(listed, index));
    const ranks = sort === 'serial_number' ? await this.#rank(db, ticket, index) : undefined;
    const rows = narrow(index, question, among, today);
    return { positions: pickPositions(index, rows, question, page, ranks), total: rows.length };
  }

  /**
   * The rows whose serial holds what was typed, found out once: a ticket's rows come and go with its import and its
   * deletion alone, while their outcomes change all the time.
   */
  #search(db: Db, ticket: TicketRow, q: string): Promise<PositionSet> {
    const question = [ticket.id, ticket.total, ticket.serial_deleted, readSearch(q)];
    return this.#searched.get(JSON.stringify(question), () => searchPositions(db, ticket.id, q));
  }

  #rank(db: Db, ticket: TicketRow, index: RowIndex): Promise<Int32Array> {
    const question = [ticket.id, index.first, index.groupOf.length];
    return this.#ranks.get(JSON.stringify(question), () => loadSerialRanks(db, ticket.id, index));
  }
}

/** The positions of a ticket's rows whose serial holds what was typed. */
export async function searchPositions(db: Queryable, ticketId: number, q: string): Promise<PositionSet> {
  const found = await readSearchedPositions(db, ticketId, readSearch(q));
  const positions = new PositionSet();
  for (let at = 0; at < found.length; at += 4) positions.add(found.readInt32BE(at));
  return positions;
}

function readSearch(q: string): SearchedText {
  return { part: normalisePart(q) || null, cell: q.replace(/[\s\p{Cf}]/gu, '') };
}
