import type { TriggerType } from '@troupe/contract'
import { CalendarClock, ClipboardList, type LucideIcon, Play, Webhook } from 'lucide-react'
import { workflowWords } from '../../core/messages/en/workflows/workflows.ts'
import styles from './trigger-list.module.css'

/** Copies of the icons in the definitions, which are too large for a list. */
const ICONS: Readonly<Record<TriggerType, LucideIcon>> = {
  'manual-trigger': Play,
  'http-request': Webhook,
  'form-trigger': ClipboardList,
  recurrence: CalendarClock,
}

/** The triggers of a workflow, each type once. After the first one, only icons. */
export function TriggerList({ triggers }: { triggers: readonly TriggerType[] }) {
  return (
    <>
      {[...new Set(triggers)].map((type, index) => {
        const Icon = ICONS[type]
        const name = workflowWords.triggerNames[type]
        return (
          <span key={type} className={styles.trigger} title={index === 0 ? undefined : name}>
            <Icon size={14} aria-hidden="true" />
            {index === 0 ? name : <span className="visually-hidden">{name}</span>}
          </span>
        )
      })}
    </>
  )
}
