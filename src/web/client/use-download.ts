import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { toast } from '#web/ui/feedback/toast.tsx';
import { useFocusAfter } from '#web/ui/overlay/move-focus.ts';
import { type DownloadFile, download } from './download.ts';
import { describeFailure, wasAborted } from './failure.ts';
import { getSession } from './session.ts';

type Texts = {
  saved: string;
  failed: string;
  /** Shown when leaving the screen cancels the download; by default nothing. */
  left?: string;
};
type Work = {
  texts: Texts;
  onSaved?: () => void;
  /** Shows the message of a failure; by default a toast. */
  onError?: (message: string) => void;
};

/**
 * The downloads of a screen or a dialog: the latest running one and its received bytes. Closing the screen or dialog
 * cancels all of them.
 */
export function useDownload<What>({ texts, onSaved, onError = toast.error }: Work) {
  const [running, setRunning] = useState<What | null>(null);
  const [received, setReceived] = useState(0);
  const controllers = useRef(new Set<AbortController>());
  // A download may outlive the language in which it began.
  const latestTexts = useRef(texts);
  latestTexts.current = texts;
  useFocusAfter(running !== null);

  const cancelAll = useEffectEvent(() => {
    if (controllers.current.size === 0) return;
    for (const controller of controllers.current) controller.abort();
    // The end of a session cancels all downloads without a message.
    if (texts.left !== undefined && getSession().token !== null) toast.error(texts.left);
  });
  useEffect(() => () => cancelAll(), []);

  const save = async (what: What, file: DownloadFile) => {
    const controller = new AbortController();
    controllers.current.add(controller);
    setRunning(what);
    setReceived(0);
    let isSaved = false;
    try {
      await download(file, controller, setReceived);
      isSaved = true;
    } catch (failure) {
      if (!wasAborted(failure)) onError(describeFailure(failure, latestTexts.current.failed));
    }
    controllers.current.delete(controller);
    if (controllers.current.size === 0) setRunning(null);
    if (!isSaved) return;
    toast.success(latestTexts.current.saved);
    onSaved?.();
  };
  return { running, received, save };
}
