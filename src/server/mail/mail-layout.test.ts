import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fact } from './mail-content.ts';
import { writeMailBody } from './mail-layout.ts';

const content = {
  locale: 'en' as const,
  heading: 'Coverage of 3 devices ends soon',
  paragraphs: ['Their coverage ends within the next 30 days.'],
  figures: [['Company', 'Ayu & <Sons>']] as Fact[],
  breakdowns: [{ heading: 'By model', figures: [['iPhone 15', '3']] as Fact[] }],
  links: [{ label: 'Show these devices', url: 'https://coverdesk.test/dashboard/devices?a=1&b=2' }],
  footer: {
    text: 'You receive this mail.',
    link: { label: 'Unsubscribe', url: 'https://coverdesk.test/off' },
  },
};

test('the plain text has everything that the HTML has', () => {
  const { text } = writeMailBody(content);
  assert.equal(
    text,
    `Coverage of 3 devices ends soon

Their coverage ends within the next 30 days.

Company: Ayu & <Sons>

By model
iPhone 15: 3

Show these devices:
https://coverdesk.test/dashboard/devices?a=1&b=2

-- 

You receive this mail.

Unsubscribe:
https://coverdesk.test/off`,
  );
});
