import type { Kysely, Selectable } from 'kysely';
import type { Queryable } from '#server/db.ts';
import type { Schema } from '#server/schema.ts';

export type TicketRow = Selectable<Schema['tickets']>;

/** The company that bounds what is seen; null: every company. */
export type Scope = string | null;

/** One ticket by its number, when it lies in the scope. */
export function findTicketByNumber(
  db: Kysely<Schema>,
  ticketNumber: number,
  scope: Scope,
): Promise<TicketRow | undefined> {
  return db
    .selectFrom('tickets')
    .selectAll()
    .where('ticket_number', '=', ticketNumber)
    .$if(scope !== null, (query) => query.where('company_code', '=', scope ?? ''))
    .executeTakeFirst();
}

/** The newest ticket in the scope: the latest import; a ticket without rows only when there is no other. */
export function findNewestTicket(db: Kysely<Schema>, scope: Scope): Promise<TicketRow | undefined> {
  return db
    .selectFrom('tickets')
    .selectAll()
    .$if(scope !== null, (query) => query.where('company_code', '=', scope ?? ''))
    .orderBy('imported_at', (order) => order.desc().nullsLast())
    .orderBy('ticket_number', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** One ticket, locked until the transaction ends: every change of its status or rows begins with this. */
export async function lockTicket(tx: Queryable, id: number): Promise<TicketRow | undefined> {
  const { rows } = await tx.query<TicketRow>('SELECT * FROM tickets WHERE id = $1 FOR UPDATE', [id]);
  return rows[0];
}

export type NewTicket = {
  ticketNumber: number;
  companyCode: string;
  createdBy: number;
  dataCount: number;
  price: string;
  dollarRate: number;
};

/** Inserts a Pending ticket without rows. */
export async function insertTicket(tx: Queryable, ticket: NewTicket): Promise<TicketRow> {
  const { rows } = await tx.query<TicketRow>(
    `INSERT INTO tickets (ticket_number, company_code, created_by, data_count, price, current_dollar_price)
     VALUES ($1, $2, $3, $4, $5, $6) RETURNING *`,
    [
      ticket.ticketNumber,
      ticket.companyCode,
      ticket.createdBy,
      ticket.dataCount,
      ticket.price,
      ticket.dollarRate,
    ],
  );
  const [row] = rows;
  if (!row) throw new Error('the new ticket was not returned');
  return row;
}

export type TicketFilter = { status?: TicketRow['status'] | undefined; companyCode?: string | undefined };

/** One page of all tickets, newest first. */
export function listTicketPage(
  db: Kysely<Schema>,
  filter: TicketFilter,
  limit: number,
  offset: number,
): Promise<TicketRow[]> {
  return db
    .selectFrom('tickets')
    .selectAll()
    .$if(filter.status !== undefined, (query) => query.where('status', '=', filter.status ?? 'Pending'))
    .$if(filter.companyCode !== undefined, (query) =>
      query.where('company_code', '=', filter.companyCode ?? ''),
    )
    .orderBy('ticket_number', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** How many tickets have each status; a status that no ticket has is missing. */
export function countTicketsByStatus(db: Kysely<Schema>, companyCode: string | undefined) {
  return db
    .selectFrom('tickets')
    .select((eb) => ['status', eb.fn.countAll<number>().as('count')])
    .$if(companyCode !== undefined, (query) => query.where('company_code', '=', companyCode ?? ''))
    .groupBy('status')
    .execute();
}

export type NumberFilter = {
  scope: Scope;
  companyCode?: string | undefined;
  serialDeleted?: boolean | undefined;
  coverageDeleted?: boolean | undefined;
};

/** All tickets in the scope, newest first, with what a selector shows of them. */
export function listTicketNumbers(db: Kysely<Schema>, filter: NumberFilter) {
  const { scope, companyCode, serialDeleted, coverageDeleted } = filter;
  return db
    .selectFrom('tickets')
    .select([
      'id',
      'ticket_number',
      'company_code',
      'status',
      'created_at',
      'data_count',
      'total',
      'done',
      'failed',
    ])
    .$if(scope !== null, (query) => query.where('company_code', '=', scope ?? ''))
    .$if(companyCode !== undefined, (query) => query.where('company_code', '=', companyCode ?? ''))
    .$if(serialDeleted !== undefined, (query) => query.where('serial_deleted', '=', serialDeleted ?? false))
    .$if(coverageDeleted !== undefined, (query) =>
      query.where('coverage_deleted', '=', coverageDeleted ?? false),
    )
    .orderBy('ticket_number', 'desc')
    .execute();
}
