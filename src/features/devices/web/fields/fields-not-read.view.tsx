import { m } from '#shared/texts/messages.js';
import { PartNotRead } from '#web/ui/feedback/part-not-read.tsx';
import { useFieldsRead } from './fields.api.ts';

/** Says that the own columns of a company could not be read: without them a screen looks as if there were none. */
export function FieldsNotRead({ companyCode }: { companyCode: string | null | undefined }) {
  return <PartNotRead read={useFieldsRead(companyCode)} name={m.devices_fields()} />;
}
