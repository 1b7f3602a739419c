import type { IdText, ProjectId } from '@troupe/contract'
import { valueAt } from '@troupe/editor/values/json-path'
import { useRef } from 'react'
import { AGENT_SPECS } from '../../../core/forms/setting-specs.ts'
import { pathPattern } from '../../../core/forms/setting-words.ts'
import { withModelAt } from '../../../core/workflows/model-setting.ts'
import type { ConfigForm } from '../../../parts/config-form/config-form.ts'
import { ModelChainFields } from '../../../parts/model-chain/model-chain.tsx'
import styles from './fields.module.css'

export interface StepModelFieldProps {
  label: string
  description: string | null
  error: string | null
  value: unknown
  /** The project of the workflow, whose configurations it may use; null: none. */
  projectId: IdText<ProjectId> | null
  /** Below the config. */
  path: string
  faults: ReadonlyMap<string, string>
  /** undefined: the default model is used. */
  onChange(value: unknown): void
}

/** The models of a step, selected as for an agent. Without a selection the default is used. */
export function StepModelField({ label, description, error, projectId, ...chain }: StepModelFieldProps) {
  // Several changes of one gesture come before the next render.
  const latest = useRef(chain.value)
  latest.current = chain.value
  const form = chainForm(chain, (change) => {
    latest.current = change(latest.current)
    chain.onChange(latest.current)
  })
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      {description && <p className={styles.muted}>{description}</p>}
      {error && <p className={styles.error}>{error}</p>}
      <ModelChainFields form={form} at={AT} projectId={projectId} />
    </fieldset>
  )
}

/** The path of a chain's limits among those of an agent. */
const AT = 'model'

function chainForm(
  { value, path, faults }: Pick<StepModelFieldProps, 'value' | 'path' | 'faults'>,
  change: (how: (value: unknown) => unknown) => void,
): ConfigForm {
  const below = (at: string) => at.slice(AT.length + 1)
  const errorAt = (at: string) => faults.get(`${path}.${below(at)}`) ?? null
  return {
    value: (at) => valueAt(value, below(at)),
    set: (at, next) => change((now) => withModelAt(now, below(at), next)),
    errorAt,
    errorWithin: errorAt,
    isChanged: () => false,
    keeperAt: () => undefined,
    isReadOnly: false,
    specOf: (at) => AGENT_SPECS[pathPattern(at)],
    wordsOf: () => undefined,
  }
}
