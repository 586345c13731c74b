import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';

/** Warns of issuing without the seller's data, and leads to their form. */
export function NoSeller({ onLeave }: { onLeave: () => void }) {
  return (
    <Banner
      tone="warning"
      action={
        <Button component={Link} to={paths.seller} size="compact-sm" variant="default" onClick={onLeave}>
          {m.invoices_seller()}
        </Button>
      }
    >
      {m.invoices_no_seller()}
    </Banner>
  );
}
