import { useQuery } from '@tanstack/react-query';
import { m } from '#shared/texts/messages.js';
import { PartNotRead } from '#web/ui/feedback/part-not-read.tsx';
import { fieldsQuery } from './fields.api.ts';

/** Says that the own columns of a company could not be read: without them a screen looks as if there were none. */
export function FieldsNotRead({ companyCode }: { companyCode: string | null | undefined }) {
  const read = useQuery({ ...fieldsQuery(companyCode ?? ''), enabled: Boolean(companyCode) });
  return <PartNotRead read={read} name={m.devices_fields()} />;
}
