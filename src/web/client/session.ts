import { m } from '#shared/texts/messages.js';
import { createStore } from '#web/preferences/store.ts';
import { readStored, writeStored } from '#web/preferences/stored.ts';
import { readToken, type SessionUser } from './token.ts';

/**
 * A signed-in user with a token, or none. `notice` is the reason why a session ended without a sign-out, or why the server
 * may refuse its token from now on.
 */
type Session = { notice: (() => string) | null } & (
  | { user: SessionUser; token: string }
  | { user: null; token: null }
);

const tokenKey = 'token';
const emailKey = 'rememberedEmail';
const checkEverySeconds = 300;

/** The token if the browser does not store it: this page has it alone. */
let unstored: string | null = null;

function keepToken(token: string | null): void {
  writeStored(tokenKey, token);
  unstored = readStored(tokenKey) === token ? null : token;
}

function readSession(): Session {
  const token = unstored ?? readStored(tokenKey);
  if (token === null) return { user: null, token: null, notice: null };
  const read = readToken(token, Date.now());
  if (typeof read === 'object') return { user: read, token, notice: null };
  keepToken(null);
  const notice = read === 'format' ? m.account_token_format : m.account_token_expired;
  return { user: null, token: null, notice: () => notice() };
}

const current = createStore(readSession());

function switchTo(session: Session): void {
  if (session.token === current.get().token) return;
  current.set(session);
}

export const getSession = current.get;

/** Whether the page was loaded with a session: its first screen then follows no sign-in. */
export const wasLoadedSignedIn = getSession().user !== null;

export const useSession = current.useValue;

/** Returns the signed-in user. Only for screens of signed-in users. */
export function useUser(): SessionUser {
  const { user } = useSession();
  if (user === null) throw new Error('This screen needs a signed-in user');
  return user;
}

/** Starts a session with a new token, or continues with the token of a password change. */
export function startSession(token: string): void {
  keepToken(token);
  switchTo(readSession());
}

/** Notes that the user must set up a second factor first, which the server requires although the token does not say so. */
export function requireSecondFactor(): void {
  const session = current.get();
  if (session.user === null || session.user.secondFactorDue) return;
  current.set({ ...session, user: { ...session.user, secondFactorDue: true } });
}

/** Notes why the server may refuse the session's token from now on; null if it will not. */
export function noteRefusal(notice: (() => string) | null): void {
  const session = current.get();
  if (session.user !== null) current.set({ ...session, notice });
}

/** Ends the session. @param notice the reason, shown at sign-in; null if the user signed out */
export function endSession(notice: (() => string) | null = null): void {
  keepToken(null);
  switchTo({ user: null, token: null, notice });
}

/**
 * Ends the session whose token the server refused. If another tab has started a newer session, this tab continues with
 * that one.
 */
export function endRefusedSession(token: string, notice: () => string): void {
  const session = current.get();
  if (token !== session.token) return;
  const stored = readSession();
  if (stored.token === token || stored.token === null) endSession(session.notice ?? notice);
  else switchTo(stored);
}

/**
 * Reads the stored token again every 300 seconds, when another tab changes it, and when the page is restored from the
 * back/forward cache.
 */
export function watchSession(): void {
  const read = () => switchTo(readSession());
  setInterval(read, checkEverySeconds * 1000);
  addEventListener('storage', (event) => {
    if (event.key === tokenKey || event.key === null) read();
  });
  addEventListener('pageshow', (event) => event.persisted && read());
}

export function getRememberedEmail(): string | null {
  return readStored(emailKey);
}

export function rememberEmail(email: string | null): void {
  writeStored(emailKey, email);
}
