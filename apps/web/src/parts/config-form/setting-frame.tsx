import type { ReactNode } from 'react'
import { formWords } from '../../core/messages/en/agents/config-form.ts'
import styles from './config-form.module.css'
import { type ConfigForm, settingElementId } from './config-form.ts'

/** The place of a setting on the page: links find it here, and a mark shows that it is changed. */
export function SettingFrame({
  form,
  path,
  children,
}: {
  form: ConfigForm
  path: string
  children: ReactNode
}) {
  const isChanged = form.isChanged(path)
  return (
    <div
      id={settingElementId(path)}
      className={styles.setting}
      {...(isChanged ? { 'data-changed': true } : {})}
    >
      {isChanged && <span className="visually-hidden">{formWords.unsaved}</span>}
      {children}
    </div>
  )
}

/** Short settings side by side, where there is room. */
export function SettingGrid({ children }: { children: ReactNode }) {
  return <div className={styles.grid}>{children}</div>
}
