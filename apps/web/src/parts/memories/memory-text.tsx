import styles from './memories.module.css'

/** A complete memory, wrapped: a truncated fact would be useless. */
export function MemoryText({ text }: { text: string }) {
  return <span className={styles.text}>{text}</span>
}
