import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { followLink } from '#web/address/signed-out-location.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';

/** Leads to the sign-in from a link of a mail that may have set the password already. */
export function MayBeSet() {
  return (
    <Banner tone="info">
      {m.account_may_be_set()}{' '}
      <a href={paths.signIn} onClick={followLink}>
        {m.account_try_sign_in()}
      </a>
    </Banner>
  );
}
