import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { atomWords } from '../../core/messages/en/atoms.ts'
import { Button } from '../controls/button.tsx'
import { classNames } from '../styles/class-names.ts'
import { currentNotices, dismissNotice, holdNotices, onNotices } from './notice-store.ts'
import styles from './notices.module.css'

/** The corner of the page with recent notices. Rendered once, by the shell. */
export function Notices() {
  const notices = useSyncExternalStore(onNotices, currentNotices)
  const region = useRef<HTMLElement>(null)
  const [isHovered, setHovered] = useState(false)
  const [isFocused, setFocused] = useState(false)
  useEffect(() => holdNotices(isHovered || isFocused), [isHovered, isFocused])
  // Removing a notice with a focused button causes no `blur`.
  useEffect(() => {
    setFocused(notices.length > 0 && hasFocus(region.current))
    if (notices.length === 0) setHovered(false)
  }, [notices])
  const newest = notices.at(-1)?.id
  // Scrolls to the newest notice, the last one, unless the pointer or the focus is on the notices.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each notice
  useEffect(() => {
    if (!isHovered && !isFocused) region.current?.scrollTo({ top: region.current.scrollHeight })
  }, [newest])
  return (
    <section
      ref={region}
      className={styles.region}
      aria-label={atomWords.notices}
      aria-live="polite"
      // A touch never leaves: it would keep the notices paused.
      onPointerEnter={({ pointerType }) => setHovered(pointerType === 'mouse')}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={({ relatedTarget, currentTarget }) => setFocused(currentTarget.contains(relatedTarget))}
    >
      {notices.map(({ id, title, detail, tone, action }) => (
        <div key={id} className={styles.notice} role={tone === 'bad' ? 'alert' : undefined}>
          <span className={classNames(styles.icon, tone === 'bad' ? styles.bad : styles.good)}>
            {tone === 'bad' ? <CircleAlert size={16} /> : <CircleCheck size={16} />}
          </span>
          <div className={styles.words}>
            <div>{title}</div>
            {detail && <div className={styles.detail}>{detail}</div>}
          </div>
          {action && (
            <Button
              size="small"
              onPress={() => {
                dismissNotice(id)
                action.run()
              }}
            >
              {action.label}
            </Button>
          )}
          <Button
            emphasis="quiet"
            size="small"
            icon={<X size={14} />}
            aria-label={atomWords.dismiss}
            onPress={() => dismissNotice(id)}
          />
        </div>
      ))}
    </section>
  )
}

function hasFocus(region: HTMLElement | null): boolean {
  return region?.contains(document.activeElement) ?? false
}
