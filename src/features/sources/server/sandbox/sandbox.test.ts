import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { behaviourOf, deviceOf } from './devices.ts';
import { type Sandbox, startSandbox } from './start-sandbox.ts';

let sandbox: Sandbox;
before(async () => {
  sandbox = await startSandbox();
});
after(() => sandbox.stop());

const serials = Array.from({ length: 20_000 }, (_, n) => `35901413${String(n).padStart(7, '0')}`);

test('about 2 % are unknown, 1 % fail once, and latencies are from 20 to 80 ms', () => {
  const unknown = serials.filter((serial) => !deviceOf(serial)).length / serials.length;
  assert.ok(unknown > 0.015 && unknown < 0.025, String(unknown));
  const behaviours = serials.map(behaviourOf);
  const failing = behaviours.filter(({ failsOnce }) => failsOnce).length / serials.length;
  assert.ok(failing > 0.007 && failing < 0.013, String(failing));
  const latencies = behaviours.map(({ latencyMs }) => latencyMs);
  assert.deepEqual([Math.min(...latencies), Math.max(...latencies)], [20, 80]);
});

test('only Apple devices have AppleCare', () => {
  const titlesOf = (code: string) =>
    new Set(serials.map((serial) => deviceOf(code + serial.slice(8))?.coverage?.title));
  assert.ok(titlesOf('35901413').has('AppleCare+'));
  assert.ok(!titlesOf('86700104').has('AppleCare+'));
});

test('models depend on the type allocation code, and dates are in order', () => {
  for (const serial of serials.slice(0, 2000)) {
    const device = deviceOf(serial);
    if (!device) continue;
    assert.equal(device.model, 'Apple iPhone 13');
    if (device.coverage) assert.ok(device.coverage.start < device.coverage.end);
    assert.equal(device.purchase !== null, device.activated);
  }
});

test('answers over HTTP by the serial, and a failing serial from the second call on', async () => {
  const ask = async (serial: string) => {
    const response = await fetch(`${sandbox.url}/v1/devices/${serial}`);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const calm = (serial: string) => !behaviourOf(serial).failsOnce;
  const known = serials.find((serial) => deviceOf(serial) && calm(serial)) ?? '';
  assert.deepEqual(await ask(known), { status: 200, body: { serial: known, ...deviceOf(known) } });
  const unknown = serials.find((serial) => !deviceOf(serial) && calm(serial)) ?? '';
  assert.equal((await ask(unknown)).status, 404);
  const failing = serials.find((serial) => deviceOf(serial) && !calm(serial)) ?? '';
  assert.equal((await ask(failing)).status, 503);
  assert.equal((await ask(failing)).status, 200);
});

test('refuses a serial that cannot be decoded, and goes on', async () => {
  for (let n = 0; n < 2; n++) assert.equal((await fetch(`${sandbox.url}/v1/devices/%`)).status, 400);
});
