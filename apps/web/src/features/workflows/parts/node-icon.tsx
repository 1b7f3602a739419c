import { NODE_TYPES } from '@troupe/nodes/definitions'
import { CircleHelp } from 'lucide-react'
import { classNames } from '../../../atoms/styles/class-names.ts'
import { NODE_ICONS } from './node-icons.ts'
import styles from './step-facts.module.css'

export interface NodeIconProps {
  type: string
  /** In a tinted square of 24 px. */
  isTile?: boolean
}

/** The icon of a node type, shown beside its name. */
export function NodeIcon({ type, isTile = false }: NodeIconProps) {
  const definition = NODE_TYPES.get(type)
  const Icon = NODE_ICONS[definition?.icon ?? ''] ?? CircleHelp
  return (
    <span
      className={classNames(styles.icon, isTile && styles.tile)}
      data-group={definition?.group}
      aria-hidden="true"
    >
      <Icon size={15} />
    </span>
  )
}
