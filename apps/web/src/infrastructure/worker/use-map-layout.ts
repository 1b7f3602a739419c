import { useEffect, useRef, useState } from 'react'
import type { MapGraph, MapLayout } from '../../core/map/map-graph.ts'

/** A layout computed in a worker. */
export interface AskedLayout {
  /** The layout of the previous graph until that of the current one is computed; null: none yet. */
  layout: MapLayout | null
  /** Whether the worker could not be loaded, or has failed. */
  hasFailed: boolean
}

/** Lays a graph out in a worker, again for each new graph object. One worker per map; it ends with the page. */
export function useMapLayout(graph: MapGraph): AskedLayout {
  const [asked, setAsked] = useState<AskedLayout>({ layout: null, hasFailed: false })
  const worker = useRef<Worker | null>(null)
  const last = useRef(0)
  useEffect(() => {
    const own = new Worker(new URL('./map-layout.worker.ts', import.meta.url), { type: 'module' })
    worker.current = own
    own.onmessage = ({ data }: MessageEvent<{ id: number; layout: MapLayout }>) => {
      // A response for an older graph is dropped: the next one is pending.
      if (data.id === last.current) setAsked({ layout: data.layout, hasFailed: false })
    }
    own.onerror = () => setAsked(({ layout }) => ({ layout, hasFailed: true }))
    return () => {
      worker.current = null
      own.terminate()
    }
  }, [])
  useEffect(() => {
    last.current += 1
    worker.current?.postMessage({ id: last.current, graph })
  }, [graph])
  return asked
}
