import { useEffect, useRef } from 'react'

/** While runs start, changes arrive continuously: their views are refetched at most this often. */
const PAUSE_MS = 2_000

/** Calls immediately, and again after the pause if it was called in the meantime. */
export function useThrottled(call: () => void): () => void {
  const state = useRef<{ timer: ReturnType<typeof setTimeout> | null; isDue: boolean; call: () => void }>({
    timer: null,
    isDue: false,
    call,
  })
  state.current.call = call
  useEffect(() => () => clearTimeout(state.current.timer ?? undefined), [])
  const run = () => {
    const { current } = state
    if (current.timer !== null) {
      current.isDue = true
      return
    }
    current.call()
    current.timer = setTimeout(() => {
      current.timer = null
      if (!current.isDue) return
      current.isDue = false
      run()
    }, PAUSE_MS)
  }
  return run
}
