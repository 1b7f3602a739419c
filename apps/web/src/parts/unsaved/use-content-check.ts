import type { FieldError } from '@troupe/contract'
import type { ConfigContent } from '@troupe/editor/values/config-content'
import { useEffect, useRef, useState } from 'react'
import type { EditedKind } from '../../core/forms/check-content.ts'

const CHECK_AFTER_MS = 250
const NONE: readonly FieldError[] = []

/** The problems that the server would report for an edit. */
export interface ContentCheck {
  /** For slightly older input. */
  found: readonly FieldError[]
  /** Checks the current input: a save waits for this instead of trusting `found`, which may be about an older text. */
  check(): Promise<readonly FieldError[]>
}

/**
 * The problems that the server would report for an edit, debounced. The rules are loaded with the first edit; if they can't be
 * loaded, the server reports the problems on save.
 */
export function useContentCheck(kind: EditedKind, content: ConfigContent, isChanged: boolean): ContentCheck {
  const [found, setFound] = useState(NONE)
  const current = useRef(content)
  current.current = content
  const check = async () => {
    if (!isChanged) return NONE
    const rules = await import('../../core/forms/check-content.ts').catch(() => null)
    const errors = rules?.checkContent(kind, content) ?? NONE
    if (current.current === content) setFound(errors)
    return errors
  }
  const latestCheck = useRef(check)
  latestCheck.current = check
  // biome-ignore lint/correctness/useExhaustiveDependencies: each content is checked once, shortly after typing
  useEffect(() => {
    if (!isChanged) {
      setFound(NONE)
      return
    }
    const timer = setTimeout(() => void latestCheck.current(), CHECK_AFTER_MS)
    return () => clearTimeout(timer)
  }, [kind, content, isChanged])
  return { found, check }
}
