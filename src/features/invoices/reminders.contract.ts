import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';
import { mostReminders } from './reminders.shared.ts';

const settings = z
  .object({
    days: z
      .array(z.int().min(1).max(365))
      .max(mostReminders)
      .refine((days) => new Set(days).size === days.length, 'server_reminder_day_twice')
      .describe('The days after the due day on which a company is reminded; none by default'),
    language: z.enum(['en', 'id']).describe('The language of the mails'),
  })
  .meta({
    id: 'InvoiceReminders',
    description: 'When companies are reminded of overdue invoices automatically',
    examples: [{ days: [7, 14, 30], language: 'id' }],
  });
export type ReminderSettings = z.infer<typeof settings>;

export const getReminders = endpoint({
  name: 'getReminders',
  method: 'GET',
  path: '/invoices/reminders',
  access: 'superadmin',
  summary: 'Read when companies are reminded of overdue invoices automatically',
  response: settings,
});

export const putReminders = endpoint({
  name: 'putReminders',
  method: 'PUT',
  path: '/invoices/reminders',
  access: 'superadmin',
  summary: 'Set when companies are reminded of overdue invoices automatically; without days never',
  body: settings,
  response: settings,
});
