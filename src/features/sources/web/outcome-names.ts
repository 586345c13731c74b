import type { OutcomeName } from '#features/sources/sources.contract.ts';
import { m } from '#shared/texts/messages.js';

export const outcomeName: Record<OutcomeName, () => string> = {
  found: m.sources_outcome_found,
  not_found: m.sources_outcome_not_found,
  invalid: m.sources_outcome_invalid,
  pending: m.sources_outcome_pending,
  throttled: m.sources_outcome_throttled,
  retry: m.sources_outcome_retry,
  auth: m.sources_outcome_auth,
  quota: m.sources_outcome_quota,
  unreachable: m.sources_outcome_unreachable,
};
