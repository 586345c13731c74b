import { useQueryClient } from '@tanstack/react-query';
import type { Budget, putBudget } from '#features/clients/budgets.contract.ts';
import { maxBudget } from '#features/clients/budgets.shared.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { storeAnswer } from '#web/client/read.ts';
import { useStoredForm } from '#web/client/use-stored-form.ts';
import { formatMonth, formatNumber, formatRupiah } from '#web/format/format.ts';
import { parseWholeNumber } from '#web/format/whole-number.ts';
import typography from '#web/styles/typography.module.css';
import { toast } from '#web/ui/feedback/toast.tsx';
import { WholeNumberField } from '#web/ui/field/whole-number-field.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { ReadDialog } from '#web/ui/overlay/read-dialog.tsx';
import type { Company } from '../clients.api.ts';
import { budgetQuery } from './budgets.api.ts';

type Props = { client: Company; onClose: () => void };

export function BudgetDialog({ client, onClose }: Props) {
  const { company_name: name, company_code: code } = client;
  return (
    <ReadDialog title={m.clients_budget_title({ name })} query={budgetQuery(code)} onClose={onClose}>
      {(budget) => <BudgetForm client={client} budget={budget} onClose={onClose} />}
    </ReadDialog>
  );
}

function BudgetForm({ client, budget, onClose }: Props & { budget: Budget }) {
  const { company_name: name, company_code: code } = client;
  const queries = useQueryClient();
  const query = budgetQuery(code);
  const { form, follow } = useStoredForm({
    stored: budget,
    valuesOf,
    reread: query,
  });
  const save = async () => {
    const stored = await call<typeof putBudget>('PUT /budgets/{company_code}', {
      params: { company_code: code },
      body: { monthly_rupiah: parseWholeNumber(form.values.monthly_rupiah) },
    });
    await storeAnswer(queries, query, stored);
    toast.success(m.clients_budget_saved({ name }));
  };
  return (
    <FormDialog
      title={m.clients_budget_title({ name })}
      submitLabel={m.clients_budget_save()}
      busyLabel={m.clients_budget_saving()}
      fallback={m.clients_budget_failed()}
      form={form}
      follow={follow}
      onSubmit={save}
      onClose={onClose}
    >
      <p className={typography.tabular}>
        {m.clients_budget_used({ month: formatMonth(budget.month), used: formatRupiah(budget.used) })}
      </p>
      <WholeNumberField
        label={m.clients_budget_limit()}
        hint={m.clients_budget_hint()}
        unit="Rp"
        optional
        min={0}
        max={maxBudget}
        {...form.getInputProps('monthly_rupiah')}
      />
    </FormDialog>
  );
}

const valuesOf = ({ monthly_rupiah: limit }: Budget) => ({
  monthly_rupiah: limit === null ? '' : formatNumber(limit),
});
