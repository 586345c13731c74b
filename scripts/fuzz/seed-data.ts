import assert from 'node:assert/strict';
import type { TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser } from '#tests/support/api/factories.ts';

/** The callers of a search, and existing values for its calls. */
export type SeedData = {
  /** Session tokens; undefined for a caller who is not signed in. */
  callers: (string | undefined)[];
  /** Existing values by the name of a parameter or field. */
  known: Record<string, unknown[]>;
};

/** Creates two companies with tickets in every state, and callers of every kind. */
export async function seedData(api: TestApi): Promise<SeedData> {
  // All calls come from one address, so the wrong passwords among them would lock out the new callers.
  await api.context.db.query('DELETE FROM login_failures');
  const superadmin = await createUser(api, { superadmin: true });
  const user = await createUser(api);
  const stranger = await createUser(api);
  const newcomer = await createUser(api, { newUser: true });
  const rows = [
    { state: 'done', activation: 'activated', end: '2027-01-01' },
    { state: 'done', activation: 'unactivated' },
    { state: 'failed' },
    { state: 'failed', reason: 'Invalid serial number', serial: "it's <no> number" },
    {},
  ] as const;
  const tickets = [];
  for (const owner of [user, stranger]) {
    for (const status of ['Pending', 'Processing', 'Completed', 'Cancelled'] as const) {
      const ticket = { companyCode: owner.companyCode, createdBy: owner.id, rows: [...rows], status };
      tickets.push(await createTicketWithRows(api, ticket));
    }
  }
  const { rows: clients } = await api.context.db.query<{ id: number }>('SELECT id FROM clients');
  const numbers = tickets.map(({ number }) => number);
  const ids = [...tickets.map(({ id }) => String(id)), ...clients.map(({ id }) => String(id))];
  const sessions = [superadmin, user, stranger, newcomer].map(({ token }) => token);
  assert.ok(sessions.every(Boolean), 'every caller has signed in');
  return {
    callers: [...sessions, superadmin.token, 'no.such.token', undefined],
    known: {
      id: ids,
      ticket: numbers,
      ticket_number: numbers,
      company_code: [user.companyCode, stranger.companyCode],
      email: [user.email, superadmin.email, 'nobody@example.test'],
      password: [user.password, 'a wrong password'],
      serial: ['356938035643809', 'C39XK0ABCDEF'],
      name: ['sandbox'],
    },
  };
}
