// Checks access (docs/rules.md, Access): every registered call with every kind of caller.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SignJWT } from 'jose';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';

type Who = 'anyone' | 'signed in' | 'new user too' | 'superadmin' | 'administrator' | 'standard user';

/** The access rule of a call. `own`: it names a ticket, which must belong to the caller's company. */
/** `told`: the status for a ticket that no file was uploaded for; by default 200. */
/** `session`: it is closed to API tokens. `reads`: it changes nothing, although its method is not GET. */
type Rule = { who: Who; own?: true; query?: string; told?: number; session?: true; reads?: true };

const rules: Record<string, Rule> = {
  'GET /health/live': { who: 'anyone' },
  'GET /health/ready': { who: 'anyone' },
  'GET /cli/coverdesk.mjs': { who: 'anyone' },
  'POST /auth/login': { who: 'anyone' },
  'POST /auth/forgot-password': { who: 'anyone' },
  'GET /auth/verify-reset-token/{token}': { who: 'anyone' },
  'POST /auth/reset-password': { who: 'anyone' },
  'POST /auth/change-password': { who: 'new user too', session: true },
  'POST /auth/register': { who: 'superadmin', session: true },
  'GET /auth/totp': { who: 'signed in', session: true },
  'POST /auth/totp': { who: 'signed in', session: true },
  'DELETE /auth/totp': { who: 'signed in', session: true },
  'POST /auth/totp/confirm': { who: 'signed in', session: true },
  'POST /auth/second-factor': { who: 'anyone' },
  'GET /auth/options': { who: 'anyone' },
  'GET /auth/oidc': { who: 'anyone' },
  'GET /auth/oidc/callback': { who: 'anyone' },
  'POST /auth/oidc/token': { who: 'anyone' },
  'GET /home/summary': { who: 'signed in' },
  'GET /home/failed': { who: 'signed in' },
  'GET /home/processed': { who: 'superadmin' },
  'GET /home/revenue': { who: 'superadmin' },
  'GET /clients': { who: 'superadmin' },
  'GET /clients/all': { who: 'superadmin' },
  'GET /clients/own': { who: 'standard user' },
  'POST /clients': { who: 'superadmin' },
  'PUT /clients/{id}': { who: 'superadmin' },
  'PUT /clients/status/{id}': { who: 'superadmin' },
  'DELETE /clients/{id}': { who: 'superadmin' },
  'GET /tickets': { who: 'superadmin' },
  'POST /tickets': { who: 'superadmin' },
  'PUT /tickets/{id}': { who: 'superadmin' },
  'DELETE /tickets/{id}': { who: 'superadmin' },
  'POST /tickets/{id}/cancel': { who: 'signed in' },
  'POST /tickets/{id}/retry': { who: 'superadmin' },
  'GET /tickets/progress': { who: 'signed in', own: true, query: 'ticket_number' },
  'GET /tickets/all-progress': { who: 'signed in' },
  'GET /tickets/activity': { who: 'signed in' },
  'GET /tickets/ticket-numbers': { who: 'signed in' },
  'GET /tickets/find': { who: 'signed in' },
  'GET /tickets/by-number': { who: 'signed in', own: true, query: 'ticket_number' },
  'GET /tickets/history': { who: 'signed in', own: true, query: 'ticket_number' },
  'GET /tickets/compare': { who: 'signed in' },
  'GET /tickets/changes': { who: 'signed in' },
  'GET /tickets/changes/download': { who: 'signed in' },
  'GET /tickets/last': { who: 'signed in' },
  'POST /data/upload': { who: 'standard user' },
  'POST /data/serials': { who: 'standard user' },
  'POST /data/preview': { who: 'standard user', reads: true },
  'POST /data/serials/preview': { who: 'standard user', reads: true },
  'GET /data/upload/{key}': { who: 'standard user' },
  'GET /data/{ticket}': { who: 'signed in', own: true },
  'DELETE /data/{ticket}': { who: 'signed in', own: true },
  'GET /data/{ticket}/report': { who: 'signed in', own: true },
  'GET /data/{ticket}/annotated': { who: 'signed in', own: true, told: 410 },
  'GET /data/{ticket}/original': { who: 'signed in', own: true },
  'GET /data/{ticket}/import': { who: 'signed in', own: true },
  'GET /imei': { who: 'signed in', own: true, query: 'ticket_number' },
  'DELETE /imei/{ticket_number}': { who: 'signed in', own: true },
  'GET /imei/download': { who: 'signed in', own: true, query: 'ticket_number' },
  'GET /search': { who: 'signed in' },
  'GET /devices': { who: 'signed in' },
  'GET /devices/figures': { who: 'signed in' },
  'GET /devices/{id}': { who: 'signed in' },
  'DELETE /devices/{id}': { who: 'signed in' },
  'PATCH /devices/{id}': { who: 'signed in' },
  'POST /devices/fields': { who: 'signed in' },
  'GET /fields/{company_code}': { who: 'signed in' },
  'PUT /fields/{company_code}': { who: 'signed in' },
  'POST /devices/forget': { who: 'signed in' },
  'GET /devices/download': { who: 'signed in' },
  'GET /views': { who: 'signed in' },
  'POST /views': { who: 'signed in' },
  'PUT /views/{id}': { who: 'signed in' },
  'DELETE /views/{id}': { who: 'signed in' },
  'GET /watch/{company_code}': { who: 'signed in' },
  'PUT /watch/{company_code}': { who: 'signed in' },
  'POST /watch/{company_code}/renew': { who: 'signed in' },
  'GET /rechecks/{company_code}': { who: 'signed in' },
  'PUT /rechecks/{company_code}': { who: 'signed in' },
  'POST /rechecks/{company_code}/run': { who: 'signed in' },
  'GET /rechecks/{company_code}/changes': { who: 'signed in' },
  'GET /rechecks/{company_code}/changes/download': { who: 'signed in' },
  'GET /budgets/{company_code}': { who: 'signed in' },
  'PUT /budgets/{company_code}': { who: 'superadmin' },
  'GET /terms/{company_code}': { who: 'administrator' },
  'PUT /terms/{company_code}': { who: 'superadmin' },
  'GET /calendar/{secret}.ics': { who: 'anyone' },
  'GET /subscribe/{token}': { who: 'anyone' },
  'POST /subscribe/{token}': { who: 'anyone' },
  'GET /unsubscribe/{token}': { who: 'anyone' },
  'POST /unsubscribe/{token}': { who: 'anyone' },
  'POST /proxies/upload': { who: 'superadmin' },
  'GET /proxies/sets': { who: 'superadmin' },
  'DELETE /proxies/{proxy_set}': { who: 'superadmin' },
  'GET /users': { who: 'administrator' },
  'PATCH /users/{id}': { who: 'administrator', session: true },
  'POST /users/{id}/sign-out': { who: 'administrator', session: true },
  'DELETE /users/{id}/second-factor': { who: 'superadmin', session: true },
  'POST /users/{id}/reset': { who: 'administrator', session: true },
  'GET /users/{id}/tokens': { who: 'administrator' },
  'DELETE /users/{id}/tokens/{token_id}': { who: 'administrator', session: true },
  'GET /tokens': { who: 'signed in' },
  'POST /tokens': { who: 'signed in', session: true },
  'DELETE /tokens/{id}': { who: 'signed in', session: true },
  'GET /notifications': { who: 'signed in' },
  'PUT /notifications': { who: 'signed in' },
  'GET /invitations': { who: 'administrator' },
  'POST /invitations': { who: 'administrator', session: true },
  'POST /invitations/{id}/send': { who: 'administrator', session: true },
  'DELETE /invitations/{id}': { who: 'administrator', session: true },
  'GET /auth/verify-invitation/{token}': { who: 'anyone' },
  'POST /invitations/accept': { who: 'anyone' },
  'GET /audit': { who: 'administrator' },
  'GET /audit/download': { who: 'administrator' },
  'GET /statements': { who: 'administrator', query: 'month' },
  'GET /statements/download': { who: 'administrator' },
  'GET /webhooks': { who: 'administrator' },
  'POST /webhooks': { who: 'administrator' },
  'PUT /webhooks/{id}': { who: 'administrator' },
  'DELETE /webhooks/{id}': { who: 'administrator' },
  'POST /webhooks/{id}/renew': { who: 'administrator' },
  'POST /webhooks/{id}/test': { who: 'administrator' },
  'GET /webhooks/{id}/deliveries': { who: 'administrator' },
  'GET /webhooks/{id}/deliveries/{delivery_id}': { who: 'administrator' },
  'POST /webhooks/{id}/deliveries/{delivery_id}/redeliver': { who: 'administrator' },
  'GET /invoices/seller': { who: 'superadmin' },
  'PUT /invoices/seller': { who: 'superadmin' },
  'GET /invoices/reminders': { who: 'superadmin' },
  'PUT /invoices/reminders': { who: 'superadmin' },
  'GET /invoices': { who: 'administrator' },
  'GET /invoices/download': { who: 'administrator' },
  'POST /invoices': { who: 'superadmin' },
  'GET /invoices/month-end': { who: 'superadmin', query: 'month' },
  'POST /invoices/batch': { who: 'superadmin' },
  'GET /invoices/{id}': { who: 'administrator' },
  'GET /invoices/{id}/pdf': { who: 'administrator' },
  'PUT /invoices/{id}': { who: 'superadmin' },
  'DELETE /invoices/{id}': { who: 'superadmin' },
  'POST /invoices/{id}/issue': { who: 'superadmin' },
  'POST /invoices/{id}/pay': { who: 'superadmin' },
  'POST /invoices/{id}/send': { who: 'superadmin' },
  'POST /invoices/{id}/remind': { who: 'superadmin' },
  'POST /invoices/{id}/credit': { who: 'superadmin' },
  'GET /sources': { who: 'superadmin' },
  'GET /status': { who: 'superadmin' },
  'POST /sources/{name}/pause': { who: 'superadmin' },
  'POST /sources/{name}/resume': { who: 'superadmin' },
  'POST /sources/{name}/try': { who: 'superadmin' },
  'POST /sources/{name}/registry': { who: 'superadmin' },
};

const callers = [
  'nobody',
  'expired',
  'newcomer',
  'standard',
  'stranger',
  'company-admin',
  'superadmin',
  'reading program',
  'writing program',
] as const;
type CallerName = (typeof callers)[number];

const signedOut = { nobody: '401 not_signed_in', expired: '401 token_expired' };
const held = { ...signedOut, newcomer: '403 password_change_required' };
const refusals: Record<Who, Partial<Record<CallerName, string>>> = {
  anyone: {},
  'new user too': signedOut,
  'signed in': held,
  superadmin: {
    ...held,
    standard: '403 superadmin_only',
    stranger: '403 superadmin_only',
    'company-admin': '403 superadmin_only',
  },
  administrator: { ...held, standard: '403 admin_only', stranger: '403 admin_only' },
  'standard user': { ...held, superadmin: '403 standard_only' },
};

/** The refusal of the owner's API tokens, which otherwise get what the owner gets. */
function refusalOfProgram(
  caller: CallerName,
  call: string,
  { who, session, reads }: Rule,
): string | undefined {
  if (who === 'anyone' || !caller.endsWith('program')) return undefined;
  const byRole = refusals[who].standard;
  if (byRole) return byRole;
  if (session) return '403 session_only';
  const changes = !call.startsWith('GET ') && !reads;
  if (caller === 'reading program' && changes) return '403 token_reads_only';
  return undefined;
}

let api: TestApi;
let owner: TestUser;
let calls: string[];
const tokens: Partial<Record<CallerName, string>> = {};

before(async () => {
  api = await createTestApi();
  owner = await createUser(api);
  tokens.standard = owner.token;
  tokens.stranger = (await createUser(api)).token;
  const { companyCode } = owner;
  tokens['company-admin'] = (await createUser(api, { companyAdmin: true, companyCode })).token;
  tokens.newcomer = (await createUser(api, { newUser: true, companyCode })).token;
  tokens.superadmin = (await createUser(api, { superadmin: true })).token;
  const tokenOf = async (scope: string) =>
    (await api.send('POST /api/tokens', { token: owner.token, body: { name: scope, scope } })).json().token;
  tokens['reading program'] = await tokenOf('read');
  tokens['writing program'] = await tokenOf('write');
  tokens.expired = await new SignJWT({ sub: String(owner.id), iat: 1_700_000_000, exp: 1_700_000_001 })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(api.context.jwtSecret));
  const { paths } = (await api.send('GET /api/openapi.json')).json<{ paths: Record<string, object> }>();
  calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace('/api', '')}`),
  );
});
after(() => api.close());

test('every call has an access rule, and every rule belongs to a call', () => {
  assert.deepEqual(calls.toSorted(), Object.keys(rules).toSorted());
});

test('every caller gets access by the rule of the call, or the reason of the refusal', async (t) => {
  for (const [call, rule] of Object.entries(rules)) {
    await t.test(call, async () => {
      for (const caller of callers) {
        const answer = await send(call, rule, caller, rule.own ? await createTicket() : '0');
        const told = `${answer.statusCode} ${answer.statusCode >= 400 ? answer.json().code : ''}`;
        const refusal =
          refusals[rule.who][caller] ??
          refusalOfProgram(caller, call, rule) ??
          (rule.own && caller === 'stranger' ? '404 ticket_not_found' : undefined);
        if (refusal) assert.equal(told, refusal, caller);
        else if (rule.own) assert.equal(answer.statusCode, rule.told ?? 200, caller);
        else assert.doesNotMatch(told, /^(401|403|5..)|^404 not_found$/, `${caller}: ${told}`);
      }
    });
  }
});

function send(call: string, { query }: Rule, caller: CallerName, parameter: string) {
  const [method = '', path = ''] = call.split(' ');
  const url = `/api${path.replaceAll(/\{\w+\}/g, parameter)}${query ? `?${query}=${parameter}` : ''}`;
  return api.send(`${method} ${url}`, { token: tokens[caller] });
}

async function createTicket(): Promise<string> {
  const { number } = await createTicketWithRows(api, {
    companyCode: owner.companyCode,
    createdBy: owner.id,
    status: 'Completed',
    rows: [{ state: 'done' }],
  });
  return number;
}
