import { bool, int4 } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

const settings = { completed: bool, from_rows: int4 };

/** Finds the settings of a user; undefined until they are first stored. */
export const findNotifications = statement({
  text: 'SELECT completed, from_rows FROM notifications WHERE user_id = $1',
  row: settings,
}).firstWith<[userId: number]>();

/** Stores the defaults of a user who has no settings. */
export const insertDefaults = statement({
  text: 'INSERT INTO notifications (user_id) VALUES ($1) ON CONFLICT DO NOTHING',
}).runWith<[userId: number]>();

/** Reads the settings of a user and locks them until the transaction ends. */
export const lockNotifications = statement({
  text: 'SELECT completed, from_rows FROM notifications WHERE user_id = $1 FOR UPDATE',
  row: settings,
}).oneWith<[userId: number]>();

export const updateNotifications = statement({
  text: 'UPDATE notifications SET completed = $2, from_rows = $3 WHERE user_id = $1',
}).runWith<[userId: number, completed: boolean, fromRows: number]>();
