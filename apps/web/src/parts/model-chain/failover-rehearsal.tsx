import { Select } from '../../atoms/controls/select.tsx'
import { modelChainWords as words } from '../../core/messages/en/model-chain.ts'
import type { ConfigForm } from '../config-form/config-form.ts'
import {
  type ChainStop,
  failoverPath,
  REHEARSED_FAILURES,
  type RehearsedFailure,
  timesAsked,
} from './failover-path.ts'
import styles from './model-chain.module.css'
import { midStreamOf } from './rehearsed-chain.ts'

type Choice = RehearsedFailure | 'none'
const CHOICES: readonly Choice[] = ['none', ...REHEARSED_FAILURES]

export interface FailoverRehearsalProps {
  form: ConfigForm
  at: string
  chain: readonly ChainStop[]
  /** null: no failure is rehearsed. */
  failure: RehearsedFailure | null
  onChange(failure: RehearsedFailure | null): void
}

/** A simulation of every model failing in a selected way: the chain highlights the called models, with an explanation. */
export function FailoverRehearsal({ form, at, chain, failure, onChange }: FailoverRehearsalProps) {
  const options = CHOICES.map((id) => ({
    id,
    label: id === 'none' ? words.rehearseNone : words.rehearsed[id],
  }))
  return (
    <div className={styles.rehearsal}>
      <Select
        label={words.rehearse}
        value={failure ?? 'none'}
        options={options}
        onChange={(next) => onChange(next === 'none' ? null : next)}
      />
      <p aria-live="polite">{failure === null ? words.rehearseHint : sentenceOf(form, at, chain, failure)}</p>
    </div>
  )
}

function sentenceOf(
  form: ConfigForm,
  at: string,
  chain: readonly ChainStop[],
  failure: RehearsedFailure,
): string {
  if (failure === 'refused') return words.neverMasked
  const midStream = midStreamOf(form, at)
  if (failure === 'stopped' && midStream === 'fail') return words.streamFails
  const attempts = Number(form.value(`${at}.retry.attempts_per_model`) ?? 1)
  const names = failoverPath(chain, failure, midStream).map(({ name }) => name)
  return words.path(names, timesAsked(failure, attempts))
}
