import { duration } from '../../core/format/times.ts'
import { modelChainWords as words } from '../../core/messages/en/model-chain.ts'
import { callStretches, longestSilence, type ModelTimeLimits } from '../../core/models/call-times.ts'
import styles from './call-axis.module.css'

export interface CallAxisProps {
  limits: ModelTimeLimits
  attempts: number
  /** The number of models in the chain, including the primary one. */
  models: number
}

/** The time limits of one call on a time axis, and the maximum silence of the chain. */
export function CallAxis({ limits, attempts, models }: CallAxisProps) {
  const lengths = {
    first: duration(limits.firstTokenMs),
    idle: duration(limits.idleMs),
    rest: duration(limits.callMs),
  }
  return (
    <figure className={styles.figure}>
      <div className={styles.axis} aria-hidden="true">
        {callStretches(limits).map(({ kind, from, to }) => (
          <span key={kind} data-kind={kind} style={{ flexGrow: Math.max(to - from, 0.02) }} />
        ))}
      </div>
      <ul className={styles.legend} aria-label={words.axis}>
        {callStretches(limits).map(({ kind }) => (
          <li key={kind} data-kind={kind}>
            {words.stretches[kind](lengths[kind])}
          </li>
        ))}
      </ul>
      <figcaption>{words.silence(duration(longestSilence(limits, attempts, models)))}</figcaption>
    </figure>
  )
}
