import { IconFlask, IconPlayerPause, IconPlayerPlay, IconUpload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import type { pauseSource, resumeSource, Source } from '#features/sources/sources.contract.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { useSubmit } from '#web/client/submit.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { ActionButton } from '#web/ui/action/action-button.tsx';
import { offerUndo } from '#web/ui/action/undo.ts';
import { toast } from '#web/ui/feedback/toast.tsx';
import panels from '#web/ui/layout/panel.module.css';
import { SourceFacts, SourceFigures } from './source-facts.tsx';
import styles from './source-panel.module.css';
import { SourceState } from './source-state.view.tsx';
import { sources } from './sources.api.ts';

type Props = { source: Source; onTry: () => void; onRegistry: () => void };

export function SourcePanel({ source, onTry, onRegistry }: Props) {
  const id = useId();
  return (
    <section className={panels.panel} aria-labelledby={id}>
      <div className={panels.panelHead}>
        <div>
          <div className={layout.row}>
            <h2 id={id}>{source.label}</h2>
            <SourceState source={source} />
          </div>
          <p className={`${typography.dim} ${styles.sourceNote}`}>
            <span className={typography.mono}>{source.name}</span>
            {source.simulated && ` · ${m.sources_simulated()}`}
          </p>
        </div>
        <div className={`${layout.row} ${panels.panelTools}`}>
          {source.kind === 'registry' && (
            <ActionButton
              label={source.registry === null ? m.sources_registry_upload() : m.sources_registry_replace()}
              icon={IconUpload}
              describedBy={id}
              onClick={onRegistry}
            />
          )}
          <ActionButton
            label={m.sources_try()}
            icon={IconFlask}
            describedBy={id}
            reason={explainDisabled(source)}
            onClick={onTry}
          />
          <PauseButton source={source} describedBy={id} />
        </div>
      </div>
      <div className={styles.sourceBody}>
        <SourceFacts source={source} />
        <SourceFigures source={source} />
      </div>
    </section>
  );
}

/** Pauses a source that is asked; resumes one that is paused or waits. One that the file turned off stays off. */
function PauseButton({ source, describedBy }: { source: Source; describedBy: string }) {
  const queries = useQueryClient();
  const { name, label, reason } = source;
  const input = { params: { name } };
  const pause = () => call<typeof pauseSource>('POST /sources/{name}/pause', input);
  const restart = () => call<typeof resumeSource>('POST /sources/{name}/resume', input);
  const reload = () => queries.invalidateQueries({ queryKey: sources.queryKey });
  const resume = source.state === 'off' || source.state === 'waiting';

  const { busy, submit } = useSubmit({
    send: async () => {
      try {
        await (resume ? restart() : pause());
        toast.success(
          resume ? m.sources_resumed({ label }) : m.sources_paused({ label }),
          // A source that waited because of failures was not paused before.
          resume && reason !== 'paused' ? undefined : offerUndo(resume ? pause : restart, reload),
        );
      } finally {
        await reload();
      }
    },
    fallback: resume ? m.sources_resume_failed({ label }) : m.sources_pause_failed({ label }),
    onError: toast.error,
  });

  const Icon = resume ? IconPlayerPlay : IconPlayerPause;
  const still = resume ? m.sources_resume() : m.sources_pause();
  const moving = resume ? m.sources_resuming() : m.sources_pausing();
  return (
    <ActionButton
      label={busy ? moving : still}
      icon={Icon}
      describedBy={describedBy}
      disabled={busy}
      reason={explainDisabled(source)}
      onClick={submit}
    />
  );
}

function explainDisabled({ reason }: Source): string | null {
  return reason === 'disabled' ? m.sources_reason_disabled() : null;
}
