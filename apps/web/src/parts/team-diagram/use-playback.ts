import { useEffect, useState } from 'react'

const STEP_MS = 1_800

/** The highlighted step of a story: the hovered one, or each in turn while it is played. */
export interface Playback {
  activeStep: string | null
  isPlaying: boolean
  point(stepId: string | null): void
  /** From the first step to the last, once; again: stops. */
  toggle(): void
}

export function usePlayback(stepIds: readonly string[]): Playback {
  const [pointed, setPointed] = useState<string | null>(null)
  const [place, setPlace] = useState<number | null>(null)
  const length = stepIds.length
  useEffect(() => {
    if (place === null) return
    const timer = setTimeout(() => setPlace(place + 1 < length ? place + 1 : null), STEP_MS)
    return () => clearTimeout(timer)
  }, [place, length])
  const played = place === null ? null : (stepIds[place] ?? null)
  return {
    activeStep: pointed ?? played,
    isPlaying: place !== null,
    point: setPointed,
    toggle: () => setPlace(place === null ? 0 : null),
  }
}
