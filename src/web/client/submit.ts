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
  // Its text is made while rendering, because the language may change.
  const [problem, setProblem] = useState<{ toText: (fallback: string) => string } | null>(null);
  const setError = (toText: (() => string) | null) => setProblem(toText && { toText });
  const running = useRef(false);
  useFocusAfter(busy);

  const explain = async (failure: unknown) => {
    const toText = (text: string) => describeError(failure, text);
    if (!follow || !isOutdated(failure)) return toText;
    return follow().then(
      () => () => m.common_changed_meanwhile(),
      () => toText,
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
        const toText = await explain(failure);
        if (onError) onError(toText(fallback));
        else setProblem({ toText });
      }
    }
    running.current = false;
    setBusy(false);
  };
  return { busy, error: problem?.toText(fallback) ?? null, setError, submit };
}
