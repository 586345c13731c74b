import { m } from '#shared/texts/messages.js';
import typography from '#web/styles/typography.module.css';
import panels from '#web/ui/layout/panel.module.css';
import { Panel } from '#web/ui/layout/panel.tsx';
import styles from './how-it-works.module.css';

const steps = [
  { title: m.data_step_prepare, text: m.data_step_prepare_text },
  { title: m.data_step_upload, text: m.data_step_upload_text },
  { title: m.data_step_process, text: m.data_step_process_text },
  { title: m.data_step_download, text: m.data_step_download_text },
];

/** Explains an upload in four steps. Folded, it takes one line until it is opened. */
export function HowItWorks({ folded }: { folded: boolean }) {
  if (!folded)
    return (
      <Panel title={m.data_how_it_works()}>
        <Steps />
      </Panel>
    );
  return (
    <details className={`${panels.panel} ${styles.foldedSteps}`}>
      <summary>{m.data_how_it_works()}</summary>
      <div className={panels.panelBody}>
        <Steps />
      </div>
    </details>
  );
}

function Steps() {
  return (
    <ol className={styles.howItWorks}>
      {steps.map((step, index) => (
        <li key={step.title()}>
          <span className={styles.stepNumber} aria-hidden="true">
            {index + 1}
          </span>
          <div>
            <h3>{step.title()}</h3>
            <p className={typography.dim}>{step.text()}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
