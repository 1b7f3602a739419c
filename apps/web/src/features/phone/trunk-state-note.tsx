import type { PhoneTrunk } from '@troupe/contract/builder'
import { RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Callout, ErrorPanel } from '../../atoms/states/panels.tsx'
import { phoneWords } from '../../core/messages/en/voice/phone.ts'
import { isProvisionable, type TrunkState, trunkState } from '../../core/phone/trunk-state.ts'
import { useChange, useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import styles from './phone.module.css'

const words = phoneWords.trunks

const TONES: Readonly<Record<TrunkState, 'good' | 'info' | 'warn'>> = {
  ...{
    draft: 'warn',
    disabled: 'warn',
    failed: 'warn',
    inbound: 'warn',
    unprovisioned: 'warn',
    unserved: 'warn',
  },
  ...{ provisioning: 'info', assumed: 'info', active: 'good' },
}

export interface TrunkStateNoteProps {
  trunk: PhoneTrunk
  /** The reason why the user may not provision it; null: allowed. */
  refusal: string | null
}

/** Whether calls can be placed through a trunk, the reason if not, and an action to provision it again. */
export function TrunkStateNote({ trunk, refusal }: TrunkStateNoteProps) {
  const { trunkId, provisionError, provisionedAt } = trunk
  const { session } = usePlace()
  const state = trunkState(trunk, session.server.voice)
  const provision = useChange('provisionPhoneTrunk', { refreshes: ['listPhoneTrunks'] })
  const run = async () => {
    const done = await provision.run({ params: { trunkId } })
    if (done?.answer.isProvisioned) showNotice({ title: words.provisioned })
  }
  const again = isProvisionable(state) && (
    <RefusableButton
      size="small"
      refusal={refusal}
      icon={<RefreshCw size={14} />}
      isPending={provision.isPending}
      onPress={() => void run()}
    >
      {words.provision}
    </RefusableButton>
  )
  return (
    <div className={styles.state} aria-live="polite">
      {state === 'failed' ? (
        <ErrorPanel title={words.stateNotes.failed} message={provisionError ?? ''} actions={again} />
      ) : (
        <Callout tone={provisionError === null ? TONES[state] : 'warn'}>
          <StateLine end={again}>
            {isProvisionable(state) && provisionError !== null ? provisionError : words.stateNotes[state]}
            {state === 'active' && <MinutesNote />}
            {state === 'active' && provisionedAt !== null && (
              <>
                {' '}
                {words.since} <MomentText at={provisionedAt} />.
              </>
            )}
          </StateLine>
        </Callout>
      )}
      <FailurePanel title={words.provisionFailed} failure={provision.failure} />
    </div>
  )
}

/** Every call needs a budget of voice minutes; without one the trunk's state alone would be misleading. */
function MinutesNote() {
  const { paths } = usePlace()
  const budgets = useOperation('listBudgets', {})
  if (!budgets.data || budgets.data.data.some(({ metric }) => metric === 'voice_minutes')) return null
  return (
    <>
      {' '}
      {words.noMinutes} <TextLink href={`${paths.settings('budgets')}?create=1`}>{words.setMinutes}</TextLink>
    </>
  )
}

function StateLine({ children, end }: { children: ReactNode; end: ReactNode }) {
  return (
    <div className={styles.stateLine}>
      <span className={styles.stateText}>{children}</span>
      {end}
    </div>
  )
}
