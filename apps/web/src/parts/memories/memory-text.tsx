import styles from './memories.module.css'

/** A memory whole, on as many lines as it needs: half of a fact is none. */
export function MemoryText({ text }: { text: string }) {
  return <span className={styles.text}>{text}</span>
}
