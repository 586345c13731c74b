import { useUnlessLeaving } from './pending-navigation.ts';
import { oneOf, useUrlState } from './search-params.ts';

const address = { form: oneOf(['', 'create'], '') };

/** Whether the form that creates something is open: kept in the address, so that other screens lead to it. */
export function useCreateForm(): [boolean, (open: boolean) => void] {
  const [{ form }, setState] = useUrlState(address);
  const unlessLeaving = useUnlessLeaving();
  // An answer closes it.
  const set = (open: boolean) =>
    unlessLeaving(() => setState({ form: open ? 'create' : '' }, { replace: true }));
  return [form === 'create', set];
}
