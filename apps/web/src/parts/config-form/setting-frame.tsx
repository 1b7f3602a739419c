import type { ReactNode } from 'react'
import { formWords } from '../../core/messages/en/agents/config-form.ts'
import type { ConfigDraft } from '../unsaved/use-config-draft.ts'
import styles from './config-form.module.css'
import type { ConfigForm } from './config-form.ts'
import { settingElementId } from './setting-element-id.ts'

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
  return (
    <MarkedFrame path={path} isChanged={form.isChanged(path)}>
      {children}
    </MarkedFrame>
  )
}

/** The same for values outside the configuration. */
export function AboutFrame({
  draft: { draft, saved },
  path,
  children,
}: {
  draft: ConfigDraft
  path: Exclude<keyof ConfigDraft['draft'], 'config'>
  children: ReactNode
}) {
  return (
    <MarkedFrame path={path} isChanged={draft[path] !== saved[path]}>
      {children}
    </MarkedFrame>
  )
}

function MarkedFrame({
  path,
  isChanged,
  children,
}: {
  path: string
  isChanged: boolean
  children: ReactNode
}) {
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
