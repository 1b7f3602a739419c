import styles from './key-mark.module.css'

/** The key of a button, inside of it; not on touch screens. Screen readers find it in the list of keys. */
export function KeyMark({ children }: { children: string }) {
  return (
    <span className={styles.key} aria-hidden="true">
      {children}
    </span>
  )
}
