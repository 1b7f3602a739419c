import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { atomWords } from '../../core/messages/en/atoms.ts'
import { Button } from '../controls/button.tsx'
import { classNames } from '../styles/class-names.ts'
import { currentNotices, dismissNotice, onNotices } from './notice-store.ts'
import styles from './notices.module.css'

/** The corner of the page that shows what has just happened. Rendered once, by the shell. */
export function Notices() {
  const notices = useSyncExternalStore(onNotices, currentNotices)
  return (
    <section className={styles.region} aria-label={atomWords.notices} aria-live="polite">
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
