import { createHash } from 'node:crypto';

/** The sandbox's answer about a serial. It depends on the serial alone, so it never changes. */
export type SandboxDevice = {
  model: string;
  activated: boolean;
  purchase: { date: string } | null;
  coverage: { title: string; start: string; end: string } | null;
};

/** A few type allocation codes with their models. Other serials get one of these models by their digits. */
const modelsByCode = new Map([
  ['35320911', 'Apple iPhone 11'],
  ['35656711', 'Apple iPhone 12'],
  ['35901413', 'Apple iPhone 13'],
  ['35345678', 'Apple iPhone 14 Pro'],
  ['35987654', 'Apple iPhone 15'],
  ['35120456', 'Samsung Galaxy S22'],
  ['35290876', 'Samsung Galaxy A54 5G'],
  ['86412305', 'Xiaomi Redmi Note 12'],
  ['86700104', 'OPPO Reno8'],
]);
const models = [...modelsByCode.values()];
const titles = ['Limited Warranty', 'Accident Protection', 'Extended Warranty', 'Business Protection Plan'];
const appleTitles = titles.with(1, 'AppleCare+');

const firstPurchase = Date.UTC(2023, 0, 1);
const purchaseDays = 1400;
const day = 86_400_000;

/** Returns the sandbox's behaviour for a serial: its latency in ms, and whether its first call fails. */
export function behaviourOf(serial: string): { latencyMs: number; failsOnce: boolean } {
  const [latency, failure] = digest(serial, 'behaviour');
  return { latencyMs: 20 + (latency % 61), failsOnce: failure % 100 === 0 };
}

/** Returns the device of a serial; undefined for the 2 % that the sandbox does not know. */
export function deviceOf(serial: string): SandboxDevice | undefined {
  const [unknownByte, modelByte, activationByte, purchaseByte, planByte, yearsByte] = digest(
    serial,
    'device',
  );
  if (unknownByte % 100 < 2) return undefined;
  const name = modelsByCode.get(serial.slice(0, 8)) ?? models[modelByte % models.length] ?? 'Phone';
  if (activationByte % 100 < 12) return { model: name, activated: false, purchase: null, coverage: null };
  const start = firstPurchase + (purchaseByte % purchaseDays) * day;
  const plans = name.startsWith('Apple') ? appleTitles : titles;
  const coverage =
    planByte % 100 < 5
      ? null
      : {
          title: plans[planByte % plans.length] ?? 'Limited Warranty',
          start: dayOf(start),
          end: dayOf(start + (1 + (yearsByte % 3)) * 365 * day - day),
        };
  return { model: name, activated: true, purchase: { date: dayOf(start) }, coverage };
}

function dayOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

function digest(serial: string, purpose: string): [number, number, number, number, number, number] {
  const bytes = createHash('sha256').update(`${purpose}:${serial}`).digest();
  const at = (index: number) => bytes.readUInt32BE(index * 4);
  return [at(0), at(1), at(2), at(3), at(4), at(5)];
}
