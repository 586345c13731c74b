import { oneOf, text, useUrlState } from '#web/address/search-params.ts';
import { StandaloneTracker } from './standalone-tracker.tsx';
import { Tracker } from './tracker.tsx';

const address = { view: oneOf(['full', 'standalone'], 'full'), ticket: text() };

/** The progress tracker; with `view=standalone` one ticket on its own. */
export function Component() {
  const [{ view, ticket }] = useUrlState(address);
  return view === 'standalone' && ticket !== '' ? <StandaloneTracker ticketNumber={ticket} /> : <Tracker />;
}
