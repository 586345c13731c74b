export type Batch = { ticketId: number };
