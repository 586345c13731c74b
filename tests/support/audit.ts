import assert from 'node:assert/strict';
import type { AuditEntry } from '#features/audit/audit.contract.ts';
import type { TestApi } from './api.ts';
import type { TestUser } from './factories.ts';

/** Reads the audit log as a superadmin does. */
export async function readAuditLog(api: TestApi, { token }: TestUser, query = '') {
  const answer = await api.send(`GET /api/audit${query}`, { token });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json<{ data: AuditEntry[]; pagination: { totalItems: number } }>();
}
