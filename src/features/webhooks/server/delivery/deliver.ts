import { createHmac } from 'node:crypto';
import type { Agent } from 'undici';
import { record } from '#features/audit/server/audit.service.ts';
import { inTransaction } from '#server/db/db.ts';
import type { Context } from '#server/runtime/context.ts';
import { findVault } from '#server/vault/vault.ts';
import {
  type Attempt,
  type AttemptResult,
  endAttempt,
  endLease,
  hasDueDeliveries,
  lockNextWebhook,
  pauseSeconds,
  releaseWebhook,
  switchOffWebhook,
  takeDelivery,
} from './attempts.queries.ts';
import { giveUpWaiting } from './deliveries.queries.ts';
import { messageId, writeMessage } from './message.ts';
import { attemptMs, sendMessage } from './send-message.ts';

/** Longer than an attempt takes. After a crash, the delivery is attempted again when it is over. */
export const leaseSeconds = (3 * attemptMs) / 1000;
/** A webhook without a success for this long is switched off. */
const deadHours = 24;
/** A webhook whose latest attempt failed or took longer is slow. */
const slowMs = 2000;

/** Attempts at the same time in one process, for all webhooks and for those of one company. One per webhook. */
const maxRunning = 32;
const maxRunningOfCompany = 4;

type DeliveryContext = Pick<Context, 'db' | 'log' | 'publicUrl'>;

/** Attempts that run in this process, so that a slow receiver delays no other. */
export class Deliveries {
  readonly #context: DeliveryContext;
  readonly #agent: Agent;
  readonly #running = new Map<Promise<void>, { company: string; isSlow: boolean }>();

  constructor(context: DeliveryContext, agent: Agent) {
    this.#context = context;
    this.#agent = agent;
  }

  /**
   * Starts the attempts that are due, up to the maxima. Slow webhooks get at most half of them.
   * @param onEnd called after each attempt, because it may let another begin
   */
  async startDue(onEnd: () => void): Promise<void> {
    // Cheaper than a transaction.
    if (!(await hasDueDeliveries.one(this.#context.db)).found) return;
    while (this.#running.size < maxRunning) {
      const delivery = await this.#take();
      if (!delivery) return;
      const { attempt, isSlow } = delivery;
      const run = this.#deliver(attempt)
        // Its lease ends by itself, and it is attempted again.
        .catch((err: unknown) =>
          this.#context.log.warn(
            { err, webhook: attempt.webhook_id, delivery: attempt.id },
            'the end of a delivery could not be stored',
          ),
        )
        .finally(() => {
          this.#running.delete(run);
          onEnd();
        });
      this.#running.set(run, { company: attempt.company_code ?? '', isSlow });
    }
  }

  /** Resolves when no attempt is running. */
  async waitForAll(): Promise<void> {
    await Promise.all(this.#running.keys());
  }

  /** Takes the next delivery that the maxima allow. */
  async #take(): Promise<{ attempt: Attempt; isSlow: boolean } | undefined> {
    const held = [...this.#running.values()];
    const withSlow = held.filter(({ isSlow }) => isSlow).length < maxRunning / 2;
    const companies = Map.groupBy(held, ({ company }) => company);
    const busy = [...companies]
      .filter(([, own]) => own.length >= maxRunningOfCompany)
      .map(([company]) => company);
    return await inTransaction(this.#context.db, async (tx) => {
      const webhook = await lockNextWebhook.first(tx, { withSlow, busyCompanies: busy });
      const attempt = webhook && (await takeDelivery.first(tx, { webhookId: webhook.id, leaseSeconds }));
      return attempt && { attempt, isSlow: webhook.slow };
    });
  }

  async #deliver(attempt: Attempt): Promise<void> {
    const body = writeMessage(attempt, this.#context.publicUrl);
    const secrets = [attempt.secret, attempt.old_secret]
      .filter((sealed) => sealed !== null)
      .map((sealed) => findVault().open('webhook', sealed));
    const headers = signMessage(secrets, messageId(attempt.id), new Date(), body);
    await this.#end(attempt, await sendMessage(this.#agent, attempt.url, { headers, body }));
  }

  /**
   * Stores the result of an attempt. A webhook that has failed for a day is switched off. If its address was changed since, the
   * result says nothing about the new one, whose messages may be sent now.
   */
  async #end(attempt: Attempt, result: AttemptResult): Promise<void> {
    const { db, log } = this.#context;
    const { isDelivered, durationMs, waitSeconds } = result;
    const { webhook_id: id, url } = attempt;
    await inTransaction(db, async (tx) => {
      const isSlow = !isDelivered || durationMs > slowMs;
      const webhook = await releaseWebhook.first(tx, {
        id,
        url,
        isDelivered,
        isSlow,
        deadHours,
        waitSeconds,
      });
      if (!webhook) await endLease.run(tx, { id, leaseUntil: attempt.lease_until });
      await endAttempt.run(tx, {
        ...result,
        id: attempt.id,
        attempts: attempt.attempts,
        pauseSeconds: pauseSeconds[attempt.tries - 1] ?? null,
      });
      if (!webhook?.is_dead) return;
      await switchOffWebhook.run(tx, { id });
      await giveUpWaiting.run(tx, { webhookId: id });
      const before = { active: true };
      const after = { active: false };
      await record(tx, {
        action: 'webhook.switch-off',
        objectId: id,
        companyCode: webhook.company_code,
        before,
        after,
      });
      log.warn({ webhook: id }, 'a webhook was switched off after a day of failures');
    });
  }
}

/**
 * Returns the headers of a message by the Standard Webhooks specification.
 * @param secrets each `whsec_` and a key in base64; each signs
 * @param at the instant of the attempt, by which receivers refuse old copies
 */
export function signMessage(secrets: string[], id: string, at: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
