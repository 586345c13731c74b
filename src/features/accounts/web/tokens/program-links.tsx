import { m } from '#shared/texts/messages.js';
import { Panel } from '#web/ui/layout/panel.tsx';

/** Where those who write programs go on: the command line and the description of the API. */
export function ProgramLinks() {
  return (
    <Panel title={m.tokens_programs()}>
      <ul className="stack tight">
        <li>
          <a href="/api/cli/coverdesk.mjs" download>
            {m.tokens_command_line()}
          </a>{' '}
          <span className="dim">{m.tokens_command_line_hint()}</span>{' '}
          <code className="code unbroken">node coverdesk.mjs --help</code>
        </li>
        <li>
          <a href="/api/docs/">{m.tokens_api()}</a> <span className="dim">{m.tokens_api_hint()}</span>
        </li>
      </ul>
    </Panel>
  );
}
