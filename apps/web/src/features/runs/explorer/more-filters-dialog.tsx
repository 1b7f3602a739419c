import { useState } from 'react'
import { Select } from '../../../atoms/controls/select.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { FormDialog } from '../../../atoms/overlays/form-dialog.tsx'
import { localMoment, momentOfLocal } from '../../../core/format/local-moment.ts'
import { runWords } from '../../../core/messages/en/runs.ts'
import { RUN_TRIALS } from '../../../core/runs/run-filter.ts'
import type { RunsFiltersProps } from './runs-filters-props.ts'

/** Filters with text input: a time, tag, user, session; and whether trials are shown. */
export function MoreFiltersDialog({ params, onChange, onClose }: RunsFiltersProps & { onClose(): void }) {
  const [values, setValues] = useState(() => {
    const { tag, user, session, trials, from, to } = params
    return { tag, user, session, trials, from: localMoment(from), to: localMoment(to) }
  })
  const set = (change: Partial<typeof values>) => setValues({ ...values, ...change })
  // A dragged range is more precise than a field: it is kept while its text is unchanged.
  const momentOf = (name: 'from' | 'to') =>
    values[name] === localMoment(params[name]) ? params[name] : momentOfLocal(values[name])
  const [from, to] = [momentOf('from'), momentOf('to')]
  const isTurned = from !== null && to !== null && from >= to
  const submit = () => {
    if (isTurned) return
    onChange({
      ...values,
      from,
      to,
      tag: values.tag.trim(),
      user: values.user.trim(),
      session: values.session.trim(),
    })
    onClose()
  }
  return (
    <FormDialog
      title={runWords.moreFilters}
      onClose={onClose}
      action={runWords.applyFilters}
      onSubmit={submit}
      isPending={false}
      isLocal
      failed=""
      failure={null}
    >
      <TextField
        type="datetime-local"
        label={runWords.from}
        isOptional
        autoFocus
        value={values.from}
        onChange={(text) => set({ from: text })}
      />
      <TextField
        type="datetime-local"
        label={runWords.to}
        isOptional
        value={values.to}
        onChange={(text) => set({ to: text })}
        error={isTurned ? runWords.turned : null}
      />
      <TextField
        label={runWords.tag}
        isOptional
        value={values.tag}
        description={runWords.tagDetail}
        onChange={(tag) => set({ tag })}
      />
      <TextField label={runWords.user} isOptional value={values.user} onChange={(user) => set({ user })} />
      <TextField
        label={runWords.session}
        isOptional
        value={values.session}
        onChange={(session) => set({ session })}
      />
      <Select
        label={runWords.trials}
        value={values.trials}
        onChange={(trials) => set({ trials })}
        options={RUN_TRIALS.map((id) => ({ id, label: runWords.trialChoices[id] }))}
      />
    </FormDialog>
  )
}
