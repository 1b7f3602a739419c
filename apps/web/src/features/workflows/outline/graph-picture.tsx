import type { Graph } from '@troupe/graph'
import { outlineWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { TemplatePicture } from '../templates/template-picture.tsx'
import styles from './graph-picture.module.css'

/** The draft as a picture, which opens the canvas. */
export function GraphPicture({ graph, onOpen }: { graph: Graph; onOpen(): void }) {
  return (
    <button type="button" className={styles.open} onClick={onOpen}>
      <TemplatePicture graph={graph} size="large" />
      <span className={styles.label}>{words.openCanvas}</span>
    </button>
  )
}
