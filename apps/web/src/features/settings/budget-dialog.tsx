import type { NamedBudget } from '@troupe/builder-contract'
import { useState } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { NumberField } from '../../atoms/controls/number-field.tsx'
import { Select } from '../../atoms/controls/select.tsx'
import { FormLayout } from '../../atoms/layout/page.tsx'
import { Dialog } from '../../atoms/overlays/dialog.tsx'
import { ErrorPanel } from '../../atoms/states/panels.tsx'
import { settingsWords } from '../../core/messages/en/settings.ts'
import { useChange, useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/session/session.ts'
import { fieldFailure, formFailure } from './field-failure.ts'

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
    const body = { metric, limit: limit ?? Number.NaN, projectId: scope === WHOLE ? null : scope }
    if (await save.run({ body })) onClose()
  }
  const failure = formFailure(save.failure, ['limit'])
  return (
    <Dialog isOpen onClose={onClose} title={words.createTitle}>
      <FormLayout
        label={words.createTitle}
        onSubmit={submit}
        actions={
          <Button emphasis="primary" type="submit" isPending={save.isPending} isDisabled={limit === null}>
            {words.save}
          </Button>
        }
      >
        {failure && (
          <ErrorPanel title={words.createFailed} message={failure.message} requestId={failure.requestId} />
        )}
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
      </FormLayout>
    </Dialog>
  )
}
