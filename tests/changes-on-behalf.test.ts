import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../', import.meta.url);

/** Files and folders of src/features with transactions that are no `changeAs`, and the reason. */
const exceptions = {
  'accounts/server/accounts.service.ts':
    'locks the caller before an invitation; the first superadmin, by the product',
  'accounts/server/invitations/accept-invitation.service.ts': 'a person who is no user yet',
  'accounts/server/invitations/invitations.service.ts': 'locks the caller before the invitations',
  'accounts/server/passwords/change-password.service.ts': 'ends the caller’s own sessions',
  'accounts/server/passwords/operator-reset.service.ts': 'the operator',
  'accounts/server/passwords/password-resets.service.ts': 'whoever has the link',
  'accounts/server/second-factor/operator-removal.service.ts': 'the operator',
  'accounts/server/second-factor/second-factor.service.ts': 'ends the caller’s own sessions',
  'accounts/server/sign-in/guess-limits.ts': 'whoever signs in',
  'accounts/server/single-sign-on/single-sign-on.service.ts': 'whoever signs in',
  'accounts/server/users/users.service.ts': 'may end the caller’s own sessions',
  'audit/server/audit.service.ts': 'retention, by the product',
  'devices/server/registration/register-devices.ts': 'results of workers',
  'imports/server/uploaded-rows/serials-analysis.queries.ts': 'reads',
  'lookups/server/': 'workers',
  'notifications/server/send-ticket-mails.ts': 'mails that have left, by the product',
  'proxies/server/reseal-proxies.service.ts': 'a rotation of the key, by the operator',
  'rechecks/server/runs/runs.queries.ts': 'due runs of schedules, by the product',
  'sources/server/figures/add-figures.ts': 'counts of workers',
  'sources/server/kinds/apple/apple-index.ts': 'workers',
  'sources/server/states/circuit.queries.ts': 'workers',
  'sources/server/states/source-states.queries.ts': 'the configured sources, by the product',
  'watch/server/resubscription.service.ts': 'an address that confirms by a link is no user',
  'watch/server/watch.service.ts': 'a receiver who unsubscribes by a link is no user',
  'webhooks/server/delivery/deliver.ts': 'deliveries, by the product',
  'webhooks/server/events/device-changes.service.ts': 'events, by the product',
};

test('what a user changes is committed only while the user still has the rights', () => {
  const files = globSync('**/server/**/*.ts', { cwd: new URL('src/features/', root) }).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  const isExcepted = (file: string) => Object.keys(exceptions).some((path) => file.startsWith(path));
  const read = (file: string) => readFileSync(new URL(`src/features/${file}`, root), 'utf8');
  const own = files.filter((file) => /\binTransaction\(/.test(read(file)));
  assert.deepEqual(
    own.filter((file) => !isExcepted(file)),
    [],
    'use changeAs, or list the file with its reason',
  );
  for (const path of Object.keys(exceptions))
    assert.ok(
      own.some((file) => file.startsWith(path)),
      path,
    );
});
