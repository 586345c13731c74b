/** Describes the ticket of a run as screens name it. @param at the instant of the run, which makes it */
export const asTicket = (ticket_number: string, at: string) => ({
  ticket_number,
  kind: 'recheck' as const,
  file_name: null,
  total: 0,
  date: at,
});
