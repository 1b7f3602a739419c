import { X } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { focusNext } from '../../../atoms/focus/focus-next.ts'
import { Callout } from '../../../atoms/states/panels.tsx'
import { AGENT_SPECS } from '../../../core/forms/setting-specs.ts'
import { unknownSettings } from '../../../core/forms/unknown-settings.ts'
import { agentSectionWords as words } from '../../../core/messages/en/agents/agent-sections.ts'
import type { ConfigForm } from '../../../parts/config-form/config-form.ts'
import { JsonValueField } from '../../../parts/config-form/json-value-field.tsx'
import { settingElementId } from '../../../parts/config-form/setting-element-id.ts'
import { SettingFrame } from '../../../parts/config-form/setting-frame.tsx'
import type { ConfigDraft } from '../../../parts/unsaved/use-config-draft.ts'
import styles from './editor.module.css'

export interface AdvancedSectionProps {
  form: ConfigForm
  draft: ConfigDraft
  onJson(): void
}

/** Settings without a form in this version: kept, shown, and removed only explicitly. */
export function AdvancedSection({ form, draft, onJson }: AdvancedSectionProps) {
  const unknown = unknownSettings(draft.draft.config, AGENT_SPECS)
  const foot = useRef<HTMLDivElement>(null)
  const remove = (path: string) => {
    const index = unknown.indexOf(path)
    const next = unknown[index + 1] ?? unknown[index - 1]
    form.set(path, undefined)
    focusNext(() => (next === undefined ? foot.current?.querySelector('button') : removeButton(next)))
  }
  return (
    <>
      {unknown.length > 0 && <Callout tone="warn">{words.unknownText}</Callout>}
      {unknown.map((path) => (
        <SettingFrame key={path} form={form} path={path}>
          <JsonValueField
            id={path}
            label={path}
            value={form.value(path)}
            keeper={form.keeperAt(path)}
            onChange={(value) => form.set(path, value)}
            isReadOnly={form.isReadOnly}
            error={form.errorAt(path)}
          />
          {!form.isReadOnly && (
            <Button
              size="small"
              emphasis="quiet"
              icon={<X size={14} />}
              data-remove
              onPress={() => remove(path)}
            >
              {words.removeUnknown(path)}
            </Button>
          )}
        </SettingFrame>
      ))}
      <div ref={foot} className={styles.foot}>
        <span>{words.jsonHelp}</span>
        <Button size="small" onPress={onJson}>
          {words.jsonElsewhere}
        </Button>
      </div>
    </>
  )
}

function removeButton(path: string): Element | null | undefined {
  return document.getElementById(settingElementId(path))?.querySelector('[data-remove]')
}
