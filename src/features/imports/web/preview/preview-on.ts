import { createStore } from '#web/preferences/store.ts';
import { readStored, writeStored } from '#web/preferences/stored.ts';

const key = 'coverdesk.preview';
const isOn = createStore(readStored(key) !== 'off');

/** Whether a chosen file is previewed, followed. */
export const usePreviewOn = isOn.useValue;

export function setPreviewOn(on: boolean): void {
  writeStored(key, on ? null : 'off');
  isOn.set(on);
}
