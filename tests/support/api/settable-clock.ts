// Preloaded into an API process, whose clock its parent sets then (`node --import`).

/** Sets the clock to an instant (milliseconds since 1970), or releases it. It is answered with the same message. */
export type ClockMessage = { type: 'clock'; instant: number | null };

let instant: number | null = null;
process.on('message', (message: ClockMessage | { type: string }) => {
  if (!('instant' in message)) return;
  instant = message.instant;
  process.send?.(message);
});

const RealDate = Date;
globalThis.Date = class extends RealDate {
  static override now = () => instant ?? RealDate.now();
  constructor(...given: []) {
    if (given.length > 0 || instant === null) super(...given);
    else super(instant);
  }
} as DateConstructor;
