import type { Graph } from '@troupe/graph'
import { useMemo } from 'react'
import { layOut } from '../../../core/map/lay-out.ts'
import { mapOfGraph } from '../../../core/map/map-of-graph.ts'
import { shapeOfNode } from '../map/shape-of-node.ts'
import styles from './template-picture.module.css'

const MARGIN = 8

/** A small graph in the layout of the canvas, without labels. */
export function TemplatePicture({ graph }: { graph: Graph }) {
  const { boxes, routes, ...area } = useMemo(() => layOut(mapOfGraph(graph, shapeOfNode)), [graph])
  const view = [area.x - MARGIN, area.y - MARGIN, area.width + 2 * MARGIN, area.height + 2 * MARGIN]
  return (
    <svg className={styles.picture} viewBox={view.join(' ')} aria-hidden="true">
      {routes.map(({ source, handle, target, points }) => (
        <polyline key={`${source} ${handle} ${target}`} className={styles.way} points={points.join(' ')} />
      ))}
      {boxes.map(({ id, kind, x, y, width, height }) => (
        <rect
          key={id}
          className={kind === 'loop' ? styles.loop : styles.step}
          {...{ x, y, width, height }}
          rx={8}
        />
      ))}
    </svg>
  )
}
