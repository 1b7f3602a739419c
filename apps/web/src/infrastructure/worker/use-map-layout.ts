import { useEffect, useRef, useState } from 'react'
import type { MapGraph, MapLayout } from '../../core/map/map-graph.ts'

/** A layout that is made beside the page. */
export interface AskedLayout {
  /** Of the graph before, until that of a changed one is there; null: none yet. */
  layout: MapLayout | null
  /** Whether the worker could not be loaded, or has failed. */
  hasFailed: boolean
}

/** Lays a graph out in a worker, again whenever it is another object. One worker per map; it ends with the page. */
export function useMapLayout(graph: MapGraph): AskedLayout {
  const [asked, setAsked] = useState<AskedLayout>({ layout: null, hasFailed: false })
  const worker = useRef<Worker | null>(null)
  const last = useRef(0)
  useEffect(() => {
    const own = new Worker(new URL('./map-layout.worker.ts', import.meta.url), { type: 'module' })
    worker.current = own
    own.onmessage = ({ data }: MessageEvent<{ id: number; layout: MapLayout }>) => {
      // An answer about an older graph is dropped: the next one is under way.
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
