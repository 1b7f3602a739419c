import type { NamedBudget } from '@troupe/builder-contract'
import { useState } from 'react'
import { NumberField } from '../../atoms/controls/number-field.tsx'
import { Select } from '../../atoms/controls/select.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { useChange, useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/session/session.ts'

const words = settingsWords.budgets
const WHOLE = 'whole'
/** Voice minutes join when voice sessions are served. */
const METRICS = ['llm_cost_usd', 'llm_tokens', 'workflow_runs'] as const

/** Sets a budget, or changes the limit of one. */
export function BudgetDialog({ budget, onClose }: { budget: NamedBudget | null; onClose(): void }) {
  const { projectId: here } = usePlace()
  const [metric, setMetric] = useState<NamedBudget['metric']>(budget?.metric ?? 'llm_cost_usd')
  const [limit, setLimit] = useState<number | null>(budget?.limit ?? null)
  const [scope, setScope] = useState((budget ? budget.projectId : here) ?? WHOLE)
  const projects = useOperation('listProjects', { query: { limit: 100, sort: 'name' } })
  const save = useChange('setBudget', { refreshes: ['listBudgets'] })
  const submit = async () => {
    if (limit === null) return
    if (await save.run({ body: { metric, limit, projectId: scope === WHOLE ? null : scope } })) onClose()
  }
  return (
    <FormDialog
      title={words.createTitle}
      onClose={onClose}
      action={words.save}
      onSubmit={submit}
      isPending={save.isPending}
      isComplete={limit !== null}
      failed={words.createFailed}
      failure={formFailure(save.failure, ['limit'])}
    >
      <Select
        label={words.metric}
        value={metric}
        onChange={setMetric}
        isDisabled={budget !== null}
        options={METRICS.map((id) => ({ id, label: words.metrics[id] }))}
      />
      <Select
        label={words.scope}
        value={scope}
        onChange={setScope}
        isDisabled={budget !== null}
        options={[
          { id: WHOLE, label: words.wholeOrganization },
          ...(projects.data?.data ?? []).map((project) => ({ id: project.projectId, label: project.name })),
        ]}
      />
      <NumberField
        label={words.limit}
        value={limit}
        onChange={setLimit}
        minValue={0}
        error={fieldFailure(save.failure, 'limit')}
        {...(metric === 'llm_cost_usd' ? { format: { style: 'currency', currency: 'USD' } } : {})}
      />
    </FormDialog>
  )
}
