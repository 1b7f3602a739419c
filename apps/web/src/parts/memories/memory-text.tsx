import { useCallback, useState } from 'react'
import { classNames } from '../../atoms/styles/class-names.ts'
import { memoryWords as words } from '../../core/messages/en/resources/memories.ts'
import styles from './memories.module.css'

/** A memory of up to three lines, and a button for the rest of a longer one. */
export function MemoryText({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false)
  const [isLong, setLong] = useState(false)
  const measure = useCallback((element: HTMLElement) => {
    const observer = new ResizeObserver(() => setLong(element.scrollHeight > element.clientHeight + 1))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <span className={styles.memory}>
      <span ref={isOpen ? null : measure} className={classNames(styles.text, !isOpen && styles.clamped)}>
        {text}
      </span>
      {(isLong || isOpen) && (
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? words.less : words.all}
        </button>
      )}
    </span>
  )
}
