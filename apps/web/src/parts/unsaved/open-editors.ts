import { useEffect, useRef } from 'react'
import type { TakenBack } from './brought-back.ts'
import type { ConfigEdit } from './kept-edit.ts'

/** Removes a colleague's changes from the edit of an open editor, including its latest input. */
export type TakeBack = (taken: ConfigEdit, before: ConfigEdit | null) => TakenBack

const open = new Map<string, Set<{ current: TakeBack }>>()

/** Registers an editor by the key of its edit, for the *Undo* of a notice that outlives the editor that showed it. */
export function useOpenEditor(key: string, isLoaded: boolean, takeBack: TakeBack): void {
  const latest = useRef(takeBack)
  latest.current = takeBack
  useEffect(() => {
    if (!isLoaded) return
    const editors = open.get(key) ?? new Set()
    open.set(key, editors.add(latest))
    return () => {
      editors.delete(latest)
      if (editors.size === 0) open.delete(key)
    }
  }, [key, isLoaded])
}

/** The open editor of a key; undefined: none. */
export function openEditor(key: string): TakeBack | undefined {
  return [...(open.get(key) ?? [])].at(-1)?.current
}
