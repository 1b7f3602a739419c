import { useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/**
 * State that changes many times a frame, such as a stream, and is painted at most once a frame. `update` reduces the
 * newest state, whether it is painted already or not.
 */
export function useFrameState<State>(initial: State): [State, (update: (state: State) => State) => void] {
  const [painted, setPainted] = useState(initial)
  const newest = useRef(initial)
  const frame = useRef<number | null>(null)
  useEffect(
    () => () => {
      cancelAnimationFrame(frame.current ?? 0)
      frame.current = null
    },
    [],
  )
  const update = useCallback((reduce: (state: State) => State) => {
    newest.current = reduce(newest.current)
    frame.current ??= requestAnimationFrame(() => {
      frame.current = null
      // In this frame: what React schedules itself is on the screen one frame later.
      flushSync(() => setPainted(newest.current))
    })
  }, [])
  return [painted, update]
}
