import type { getNotifications } from '#features/notifications/notifications.contract.ts';
import { read } from '#web/client/read.ts';

export const notificationsQuery = read<typeof getNotifications>(['notifications'], 'GET /notifications', {});
