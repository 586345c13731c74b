import { z } from 'zod';
import { defineKind } from '../configuration/source-kind.ts';
import { startSandbox } from '../sandbox/start-sandbox.ts';
import { openHttpSource } from './http.ts';
import { httpSettings } from './http-settings.ts';

/**
 * The embedded default: a real HTTP service on loopback, asked like any other, whose answers are made from the
 * serial.
 */
export const sandbox = defineKind({
  kind: 'sandbox',
  nature: 'remote',
  simulated: true,
  settings: z.object({}),
  async open(_, tools) {
    const service = await startSandbox();
    const settings = httpSettings.parse({
      request: { url: `${service.url}/v1/devices/{serial}`, timeout_ms: 10_000 },
      fields: {
        type: 'body.model',
        activation_status:
          "body.activated = true ? 'activated' : body.activated = false ? 'unactivated' : null",
        purchase_date: 'body.purchase.date',
        warranty_title: 'body.coverage.title',
        coverage_start_date: 'body.coverage.start',
        coverage_end_date: 'body.coverage.end',
      },
    });
    const source = await openHttpSource(settings, tools);
    return {
      ask: source.ask,
      async close() {
        await source.close();
        await service.stop();
      },
    };
  },
});
