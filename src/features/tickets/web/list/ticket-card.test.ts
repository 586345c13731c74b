import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { loadScreens } from '#tests/support/load-screens.ts';

loadScreens();
const { TicketCard } = await import('./ticket-card.tsx');

const ticket = {
  _id: '1',
  ticket_number: '1',
  company_code: 'ACM001',
  date: '2026-11-21T03:00:00.000Z',
  status: 'Pending' as const,
  data_count: 5,
  known_count: 0,
  billable: 5,
  uploaded_by: null,
  total: 5,
  done: 0,
  failed: 0,
  remaining: 5,
  percent: 0,
  price: 0.05,
  current_dollar_price: 16_000,
  discount: 0,
  price_per_data: 800,
  subtotal: 0,
  discount_amount: 0,
  total_amount: 0,
  file_name: null,
  kind: 'order' as const,
  imported: false,
  serial_deleted: false,
  coverage_deleted: false,
  version: 1,
  invoice: null,
  retryable: false,
};

const render = (props: object) => {
  const card = createElement(TicketCard, { ticket, progress: undefined, ...props });
  return renderToStaticMarkup(createElement(MantineProvider, null, createElement(MemoryRouter, null, card)));
};

it('says that an order waits for its upload, not a ticket with rows that have no file name', () => {
  const waits = /No data has been uploaded yet/;
  assert.match(render({}), waits);
  assert.doesNotMatch(render({ ticket: { ...ticket, imported: true } }), waits);
});

it('has an Edit and a Delete button only where the actions are supplied', () => {
  const labelsOf = (actions: object) => {
    const buttons = render(actions).matchAll(/<button.*?<\/button>/g);
    return Array.from(buttons, ([markup]) => markup.replaceAll(/<[^>]*>/g, '').trim());
  };
  const act = () => undefined;
  assert.deepEqual(labelsOf({}), []);
  assert.deepEqual(labelsOf({ onEdit: act }), ['Edit']);
  assert.deepEqual(labelsOf({ onDelete: act }), ['Delete']);
  assert.deepEqual(labelsOf({ onEdit: act, onDelete: act }), ['Edit', 'Delete']);
});
