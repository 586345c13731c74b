import type { testWebhook as test } from '#features/webhooks/webhooks.contract.ts';
import { call } from '#web/client/api-client.ts';

export const testWebhook = (id: string) => call<typeof test>('POST /webhooks/{id}/test', { params: { id } });
