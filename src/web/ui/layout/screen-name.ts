import { createStore } from '#web/preferences/store.ts';

const name = createStore('');

/** Tells the top bar the name of the screen, where the menu has none; empty when the screen closes. */
export const setScreenName = name.set;

export const useScreenName = name.useValue;
