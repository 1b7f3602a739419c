import type { FieldError } from '@troupe/contract'
import { useEffect, useState } from 'react'
import type { EditedKind } from '../../core/forms/check-content.ts'
import type { ConfigContent } from '../../core/forms/config-content.ts'

const CHECK_AFTER_MS = 250
const NONE: readonly FieldError[] = []

/**
 * What the server would refuse of an edit, some moments after it was typed. The rules are loaded with the first edit; where
 * they cannot be loaded, the server says it at the save.
 */
export function useContentCheck(
  kind: EditedKind,
  content: ConfigContent,
  isChanged: boolean,
): readonly FieldError[] {
  const [found, setFound] = useState(NONE)
  useEffect(() => {
    if (!isChanged) {
      setFound(NONE)
      return
    }
    let isCurrent = true
    const check = async () => {
      const rules = await import('../../core/forms/check-content.ts').catch(() => null)
      if (isCurrent) setFound(rules?.checkContent(kind, content) ?? NONE)
    }
    const timer = setTimeout(() => void check(), CHECK_AFTER_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [kind, content, isChanged])
  return found
}
