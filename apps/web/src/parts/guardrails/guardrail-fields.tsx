import { type GuardrailStage, type IdText, type ProjectId, propertyOf } from '@troupe/contract'
import { Plus } from 'lucide-react'
import { Button } from '../../atoms/controls/button.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { guardrailWords as words } from '../../core/messages/en/agents/guardrails.ts'
import { type ConfigForm, listAt } from '../config-form/config-form.ts'
import { ItemCard, SettingItems } from '../config-form/item-card.tsx'
import { SettingFrame } from '../config-form/setting-frame.tsx'
import { useSettingItems } from '../config-form/use-setting-items.ts'
import { GuardrailRule, isGuardrailKind, newRule, ruleSummary } from './guardrail-rule.tsx'
import styles from './guardrails.module.css'
import { TryRules } from './try-rules.tsx'

export interface GuardrailFieldsProps {
  form: ConfigForm
  /** The path of the guardrails: `guardrails`. */
  at: string
  /** The project of the agent or team; null: it belongs to the organization. */
  projectId: IdText<ProjectId> | null
}

const STAGES = ['input', 'output'] as const satisfies readonly GuardrailStage[]

/** The rules for the user's message, and those for the final text. */
export function GuardrailFields(props: GuardrailFieldsProps) {
  return (
    <>
      {STAGES.map((stage) => (
        <StageRules key={stage} {...props} stage={stage} />
      ))}
    </>
  )
}

function StageRules({ form, at, projectId, stage }: GuardrailFieldsProps & { stage: GuardrailStage }) {
  const path = `${at}.${stage}`
  const rules = listAt(form, path)
  const list = useSettingItems(form, path, (index) => titleOf(rules[index]))
  const { label, help } = form.wordsOf(path) ?? { label: stage }
  return (
    <SettingFrame form={form} path={path}>
      <div className={styles.stage}>
        <header className={styles.head}>
          <div>
            <h3>{label}</h3>
            {help && <p>{help}</p>}
          </div>
          {!form.isReadOnly && (
            <AddRule label={`${words.add}: ${label}`} onAdd={(kind) => list.add(newRule(kind))} />
          )}
        </header>
        {rules.length === 0 ? (
          <p className={styles.none}>{words.none}</p>
        ) : (
          <SettingItems label={label} said={list.said}>
            {rules.map((rule, index) => {
              const kind = propertyOf(rule, 'type')
              const kindWords = isGuardrailKind(kind) ? words.kinds[kind] : null
              return (
                <ItemCard
                  key={list.keyOf(index)}
                  form={form}
                  path={`${path}.${index}`}
                  title={titleOf(rule)}
                  kind={ruleSummary(rule)}
                  summary={kindWords?.detail ?? words.unknownKind}
                  moves={list.movesOf(index)}
                  isOpenAtFirst={list.isNew(index)}
                >
                  <GuardrailRule form={list.formOf(index)} at={`${path}.${index}`} projectId={projectId} />
                </ItemCard>
              )
            })}
          </SettingItems>
        )}
        {rules.length > 0 && !form.isReadOnly && <TryRules stage={stage} rules={rules} />}
      </div>
    </SettingFrame>
  )
}

function titleOf(rule: unknown): string {
  const kind = propertyOf(rule, 'type')
  return isGuardrailKind(kind) ? words.kinds[kind].label : String(kind)
}

function AddRule({ label, onAdd }: { label: string; onAdd(kind: keyof typeof words.kinds): void }) {
  const entries = Object.entries(words.kinds).flatMap(([kind, text]) =>
    isGuardrailKind(kind) ? [{ id: kind, ...text, onAction: () => onAdd(kind) }] : [],
  )
  return (
    <ActionMenu
      label={label}
      trigger={
        <Button size="small" icon={<Plus size={14} />} aria-label={label}>
          {words.add}
        </Button>
      }
      entries={entries}
    />
  )
}
