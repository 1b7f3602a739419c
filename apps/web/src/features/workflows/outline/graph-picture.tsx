import type { Graph } from '@troupe/graph'
import { useMemo } from 'react'
import { classNames } from '../../../atoms/styles/class-names.ts'
import { layOut } from '../../../core/map/lay-out.ts'
import type { MapGraph } from '../../../core/map/map-graph.ts'
import { mapOfGraph } from '../../../core/map/map-of-graph.ts'
import { pictureScale } from '../../../core/map/picture-scale.ts'
import { routePath } from '../../../core/map/route-path.ts'
import { outlineWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { shapeOfNode } from '../map/shape-of-node.ts'
import { NodeIcon } from '../parts/node-icon.tsx'
import styles from './graph-picture.module.css'

/** The draft as a picture with the names of its steps, which opens the canvas. */
export function GraphPicture({ graph, onOpen }: { graph: Graph; onOpen(): void }) {
  const nodes = useMemo(() => new Map(graph.nodes.map((node) => [node.id, node])), [graph])
  const { boxes, routes, ...area } = useMemo(() => layOut(pictureOfSteps(graph)), [graph])
  const { across, down, hasIcons, isCut } = pictureScale(area.width)
  const size = { width: area.width * across, height: area.height * down }
  return (
    <button type="button" className={styles.open} onClick={onOpen}>
      <span aria-hidden="true" className={classNames(styles.picture, isCut && styles.cut)}>
        <span className={styles.sheet} style={size}>
          <svg
            {...size}
            viewBox={`${area.x} ${area.y} ${area.width} ${area.height}`}
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            {routes.map(({ source, handle, target, points }) => (
              <path key={`${source} ${handle} ${target}`} className={styles.way} d={routePath(points)} />
            ))}
          </svg>
          {boxes.map(({ id, kind, x, y, width, height }) => (
            <span
              key={id}
              className={styles.box}
              data-kind={kind}
              title={nodes.get(id)?.name}
              style={{
                insetInlineStart: (x - area.x) * across,
                insetBlockStart: (y - area.y) * down,
                width: width * across,
                height: height * down,
              }}
            >
              {hasIcons && <NodeIcon type={nodes.get(id)?.type ?? ''} />}
              <span className={styles.name}>{nodes.get(id)?.name}</span>
            </span>
          ))}
        </span>
      </span>
      <span className={styles.label}>{words.openCanvas}</span>
    </button>
  )
}

/** The steps from top to bottom, as in the list: positions of the canvas may spread them over several windows. */
function pictureOfSteps(graph: Graph): MapGraph {
  const { nodes, edges } = mapOfGraph(graph, shapeOfNode)
  return {
    nodes: nodes.filter(({ kind }) => kind !== 'note').map(({ position: _manual, ...node }) => node),
    edges,
  }
}
