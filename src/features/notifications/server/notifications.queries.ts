import { bool, int4, int8 } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';

const settings = { completed: bool, from_rows: int4 };

/** Finds the settings of a user; undefined until they are first stored. */
export const findNotifications = statement({
  text: 'SELECT completed, from_rows FROM notifications WHERE user_id = :userId',
  params: { userId: int8 },
  row: settings,
});

/** Stores the defaults of a user who has no settings. */
export const insertDefaults = statement({
  text: 'INSERT INTO notifications (user_id) VALUES (:userId) ON CONFLICT DO NOTHING',
  params: { userId: int8 },
});

/** Reads the settings of a user and locks them until the transaction ends. */
export const lockNotifications = statement({
  text: 'SELECT completed, from_rows FROM notifications WHERE user_id = :userId FOR UPDATE',
  params: { userId: int8 },
  row: settings,
});

export const updateNotifications = statement({
  text: 'UPDATE notifications SET completed = :completed, from_rows = :fromRows WHERE user_id = :userId',
  params: { userId: int8, completed: bool, fromRows: int4 },
});
