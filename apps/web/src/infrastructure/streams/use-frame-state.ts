import { useEffect, useState, useSyncExternalStore } from 'react'
import { createValueStore } from '../client/value-store.ts'

/** A state that is reduced many times a frame, and its value of the last frame; one outside a component outlives it. */
export class FrameState<State> {
  readonly painted: ReturnType<typeof createValueStore<State>>
  #newest: State
  #frame: number | null = null

  constructor(initial: State) {
    this.painted = createValueStore(initial)
    this.#newest = initial
  }

  readonly update = (reduce: (state: State) => State): void => {
    this.#newest = reduce(this.#newest)
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null
      this.painted.set(this.#newest)
    })
  }

  readonly stop = (): void => {
    cancelAnimationFrame(this.#frame ?? 0)
    this.#frame = null
  }
}

/**
 * State that changes many times per frame, such as a stream, and is rendered at most once per frame. `update` reduces the newest
 * state, rendered or not. It is a store outside React, because React renders a store change in the same frame, and a state change
 * one frame later.
 */
export function useFrameState<State>(initial: State): [State, (update: (state: State) => State) => void] {
  const [state] = useState(() => new FrameState(initial))
  useEffect(() => state.stop, [state])
  return [usePainted(state), state.update]
}

/** The value of the last frame. */
export function usePainted<State>({ painted }: FrameState<State>): State {
  return useSyncExternalStore(painted.subscribe, painted.get)
}
