import assert from 'node:assert/strict';
import type { AuditEntry } from '#features/audit/audit.contract.ts';
import type { TestApi } from './api.ts';
import { createTicketWithRows, type TestUser } from './factories.ts';

/** Reads the audit log as a superadmin. */
export async function readAuditLog(api: TestApi, { token }: TestUser, query = '') {
  const answer = await api.send(`GET /api/audit${query}`, { token });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json<{ data: AuditEntry[]; pagination: { totalItems: number } }>();
}

/** Creates a completed ticket with a failed row, so that every recorded action is possible. */
export const createClosedTicket = (api: TestApi, user: TestUser) =>
  createTicketWithRows(api, {
    companyCode: user.companyCode,
    createdBy: user.id,
    status: 'Completed',
    rows: [{ state: 'done' }, { state: 'failed', reason: 'Source unavailable' }],
  });

/** Creates a client by the API, which is recorded. */
export async function addClient(api: TestApi, { token }: TestUser) {
  const answer = await api.send('POST /api/clients', { token, body: { company_name: 'Watched' } });
  return answer.json<{ client: { _id: string; company_code: string } }>().client;
}
