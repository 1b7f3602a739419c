import { type CSSProperties, useEffect, useRef, useState } from 'react'
import type { MapRoute } from '../../core/map/map-graph.ts'
import { MOST_PACKETS, passingPackets, type TakenWay } from '../../core/map/passing-packets.ts'
import { routePath } from '../../core/map/route-path.ts'
import type { DrawnMap } from './draw-map.ts'
import styles from './map-packets.module.css'

const keyOf = ({ source, handle, target }: MapRoute) => `${source} ${handle} ${target}`

/**
 * Packets along the connections of a run in progress: repeatedly to a running step, and once where a step has just
 * passed on its output. The style sheet moves them, so that frames render nothing. None with reduced motion.
 */
export function MapPackets({ map }: { map: DrawnMap }) {
  const { routes } = map.layout
  const passing = usePassing(map)
  const flowing = routes.filter((_, at) => map.routeLooks[at]?.isFlowing)
  const once = routes.filter((route, at) => passing.keys.has(keyOf(route)) && !map.routeLooks[at]?.isFlowing)
  return (
    <span aria-hidden="true" data-packets>
      {flowing.slice(0, MOST_PACKETS).map((route) => (
        <span key={keyOf(route)} className={styles.packet} style={along(route)} />
      ))}
      {once.map((route) => (
        <span
          key={`once ${keyOf(route)}`}
          className={styles.once}
          style={along(route)}
          onAnimationEnd={() => passing.end(keyOf(route))}
        />
      ))}
    </span>
  )
}

const along = ({ points }: MapRoute): CSSProperties => ({ offsetPath: `path("${routePath(points)}")` })

const NONE: ReadonlySet<string> = new Set()

/** Connections that have been taken since the last render, until their packets arrive. */
function usePassing(map: DrawnMap) {
  const [keys, setKeys] = useState(NONE)
  const before = useRef(map)
  useEffect(() => {
    const known = new Set(takenOf(before.current).map(({ key }) => key))
    before.current = map
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    setKeys((moving) => passingPackets(moving, known, takenOf(map)))
  }, [map])
  const end = (key: string) => setKeys((now) => new Set([...now].filter((one) => one !== key)))
  return { keys, end }
}

function takenOf({ layout, routeLooks }: DrawnMap): TakenWay[] {
  return layout.routes.flatMap((route, at) => {
    const look = routeLooks[at]
    return look?.state === 'taken' ? { key: keyOf(route), isFlowing: look.isFlowing } : []
  })
}
