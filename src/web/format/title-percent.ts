import { createStore } from '#web/preferences/store.ts';

const percent = createStore<number | null>(null);

/** Shows the progress of long work before the screen's name, in the title of the browser's tab; null removes it. */
export const setTitlePercent = percent.set;

export const useTitlePercent = percent.useValue;
