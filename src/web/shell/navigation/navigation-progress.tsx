import { useNavigation } from 'react-router';
import { m } from '#shared/texts/messages.js';
import './navigation-progress.css';

/** A line below the top bar while the code of the next screen is on its way; a quick one is not seen. */
export function NavigationProgress() {
  const { state } = useNavigation();
  if (state === 'idle') return null;
  return (
    <div className="navigation-progress" role="status">
      <span className="sr-only">{m.common_loading()}</span>
    </div>
  );
}
