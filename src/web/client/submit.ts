import { QueryClientContext } from '@tanstack/react-query';
import { type SyntheticEvent, useContext, useRef, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { isSecondClick } from '#web/browser/second-click.ts';
import { useFocusAfter } from '#web/ui/overlay/move-focus.ts';
import { describeFailedChange, isOutdated, isUnanswered, wasAborted } from './failure.ts';
import { type RefusableForm, showRefusals } from './refused-fields.ts';

type Work = {
  /** Shows the server's refusals at its fields. */
  form?: RefusableForm | undefined;
  /** Takes over the stored values (`useStoredForm`) if somebody else has changed them, or no answer arrived. */
  follow?: (() => Promise<void>) | undefined;
  /** Returns the text why nothing can be sent; null if it can. */
  check?: () => (() => string) | null;
  send: () => Promise<unknown>;
  /** The message of a failure if the server sent none. */
  fallback: string;
  /** Describes a failure; by default as that of a change, which may have been made if no answer arrived. */
  describeError?: (failure: unknown, fallback: string) => string;
  /** Receives the message of a failure instead of `error`. */
  onError?: (message: string) => void;
};

/** Described while rendering, because the language may change. */
type Problem = { failure: unknown } | { text: () => string };

/**
 * The state of one submission of a form, a dialog or a button: whether it runs, and its error message. A double click or a
 * key that is held down submits once. Without an answer, the screen is read again, because the change may have been made.
 */
export function useSubmit({
  form,
  follow,
  check,
  send,
  fallback,
  describeError = describeFailedChange,
  onError,
}: Work) {
  // Screens without a session have none.
  const queries = useContext(QueryClientContext);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const setError = (text: (() => string) | null) => setProblem(text && { text });
  const running = useRef(false);
  useFocusAfter(busy);

  const textOf = (found: Problem) =>
    'text' in found ? found.text() : describeError(found.failure, fallback);
  const findProblem = async (failure: unknown): Promise<Problem> => {
    if (!follow || !isOutdated(failure)) return { failure };
    return follow().then(
      () => ({ text: m.common_changed_meanwhile }),
      () => ({ failure }),
    );
  };
  const submit = async (event?: SyntheticEvent) => {
    event?.preventDefault();
    if (running.current || isSecondClick()) return;
    const mistake = check?.() ?? null;
    setError(mistake);
    if (mistake !== null) return;
    form?.setErrors({});
    running.current = true;
    setBusy(true);
    try {
      await send();
    } catch (failure) {
      if (isUnanswered(failure)) {
        void queries?.refetchQueries({ type: 'active', stale: true });
        void follow?.().catch(() => undefined);
      }
      const isShown = wasAborted(failure) || (form !== undefined && showRefusals(form, failure));
      if (!isShown) {
        const found = await findProblem(failure);
        if (onError) onError(textOf(found));
        else setProblem(found);
      }
    }
    running.current = false;
    setBusy(false);
  };
  return { busy, error: problem && textOf(problem), setError, submit };
}
