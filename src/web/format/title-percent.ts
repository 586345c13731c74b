import { createStore } from '#web/preferences/store.ts';

const percent = createStore<number | null>(null);

/** Puts how far long work is before the name of every screen, in the browser's tab; null takes it away. */
export const setTitlePercent = percent.set;

export const useTitlePercent = percent.useValue;
