import { useEffect, useRef, useState } from 'react'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import type { TextStep } from '../../core/runs/run-view.ts'
import styles from './playground.module.css'

/** Long enough to notice that a text was withdrawn, and the reason. */
const STRUCK_MS = 2_500

/** A visible text that was withdrawn: struck through, then removed. One that was never visible is not shown. */
export function WithdrawnText({ step }: { step: TextStep }) {
  const { text, withdrawn } = step
  const wasSeen = useRef(withdrawn === null)
  const [isGone, setGone] = useState(false)
  useEffect(() => {
    if (withdrawn === null) return
    const timer = setTimeout(() => setGone(true), STRUCK_MS)
    return () => clearTimeout(timer)
  }, [withdrawn])
  if (withdrawn === null || !wasSeen.current || isGone || text.trim() === '') return null
  return (
    <div className={styles.struck}>
      <del>{text}</del>
      <p className={styles.quiet}>{words.withdrawn[withdrawn]}</p>
    </div>
  )
}
