import { z } from 'zod';
import { basedOnVersion } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';
import { maxReminders } from './reminders.shared.ts';

const fields = {
  days: z
    .array(z.int().min(1).max(365))
    .max(maxReminders)
    .refine((days) => new Set(days).size === days.length, 'server_reminder_day_twice')
    .describe('The days after the due day on which a company is reminded; none by default'),
  language: z.enum(['en', 'id']).describe('The language of the mails'),
};

const settings = z
  .object({
    ...fields,
    version: z.int().describe('Grows with every change; 0 until they were first set'),
  })
  .meta({
    id: 'InvoiceReminders',
    description: 'When companies are reminded of overdue invoices automatically',
  });
export type ReminderSettings = z.infer<typeof settings>;

const change = z.object({ ...fields, version: basedOnVersion }).meta({
  id: 'InvoiceRemindersChange',
  examples: [{ days: [7, 14, 30], language: 'id' }],
});
export type ReminderChange = z.infer<typeof change>;

export const getReminders = endpoint({
  route: 'GET /invoices/reminders',
  access: 'superadmin',
  summary: 'Read when companies are reminded of overdue invoices automatically',
  tagged: true,
  response: settings,
});

export const putReminders = endpoint({
  route: 'PUT /invoices/reminders',
  access: 'superadmin',
  summary: 'Set when companies are reminded of overdue invoices automatically; without days never',
  body: change,
  response: settings,
  failures: [409],
});
