import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';

const settings = z
  .object({
    completed: z
      .boolean()
      .describe(
        'Whether the caller is mailed when an upload is Completed, or has waited for more than an hour',
      ),
    from_rows: z.int().min(0).max(1_000_000_000).describe('Only for tickets with at least so many rows'),
  })
  .meta({ id: 'Notifications', examples: [{ completed: true, from_rows: 1000 }] });
export type Notifications = z.infer<typeof settings>;

export const getNotifications = endpoint({
  route: 'GET /notifications',
  access: 'signed-in',
  summary: 'Read which mails the caller gets about uploads',
  tagged: true,
  response: settings,
});

export const putNotifications = endpoint({
  route: 'PUT /notifications',
  access: 'signed-in',
  summary: 'Set which mails the caller gets about uploads',
  body: settings,
  response: settings,
});
