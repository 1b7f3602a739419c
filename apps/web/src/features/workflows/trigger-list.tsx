import type { TriggerType } from '@troupe/contract'
import { CalendarClock, ClipboardList, type LucideIcon, Play, Webhook } from 'lucide-react'
import { workflowWords } from '../../core/messages/en/lists.ts'
import styles from './trigger-list.module.css'

/** The icons of the definitions, which are too large for a list. */
const ICONS: Readonly<Record<TriggerType, LucideIcon>> = {
  'manual-trigger': Play,
  'http-request': Webhook,
  'form-trigger': ClipboardList,
  recurrence: CalendarClock,
}

/** The triggers of a workflow; a type with several triggers is shown once. */
export function TriggerList({ triggers }: { triggers: readonly TriggerType[] }) {
  return (
    <>
      {[...new Set(triggers)].map((type) => {
        const Icon = ICONS[type]
        return (
          <span key={type} className={styles.trigger}>
            <Icon size={14} aria-hidden="true" />
            {workflowWords.triggerNames[type]}
          </span>
        )
      })}
    </>
  )
}
