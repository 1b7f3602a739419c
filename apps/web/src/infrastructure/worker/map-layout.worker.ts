import { layOut } from '../../core/map/lay-out.ts'
import type { MapGraph } from '../../core/map/map-graph.ts'

// A worker: `self` has the `postMessage` of the page that made it.
addEventListener('message', ({ data }: MessageEvent<{ id: number; graph: MapGraph }>) => {
  postMessage({ id: data.id, layout: layOut(data.graph) })
})
