import type { AgentDetails } from '@troupe/builder-contract'
import { Eye } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { Segments } from '../../../atoms/controls/choices.tsx'
import { Section } from '../../../atoms/layout/page.tsx'
import { SideSheet } from '../../../atoms/overlays/dialog.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { promptWords, agentEditorWords as words } from '../../../core/messages/en/agent-editor.ts'
import { choiceParam, choicesParam } from '../../../core/url/search-params.ts'
import { useSearchParams } from '../../../infrastructure/routing/place.ts'
import type { ConfigForm } from '../../../parts/config-form/config-form.ts'
import { JsonField } from '../../../parts/config-form/json-field.tsx'
import { showSetting } from '../../../parts/config-form/show-setting.ts'
import { GuardrailFields } from '../../../parts/guardrails/guardrail-fields.tsx'
import { ModelChainFields } from '../../../parts/model-chain/model-chain.tsx'
import type { ConfigDraft } from '../../../parts/unsaved/use-config-draft.ts'
import { AdvancedSection } from './advanced-section.tsx'
import styles from './editor.module.css'
import { EditorSection } from './editor-section.tsx'
import { EDITOR_SECTIONS, type EditorSectionId, sectionOf, sectionSummary } from './editor-sections.ts'
import { IdentityCard, InstructionsCard } from './identity-card.tsx'
import { PromptPane } from './prompt-pane.tsx'
import {
  AnswerSection,
  KnowledgeSection,
  LimitsSection,
  MemorySection,
  PrivacySection,
  SkillsSection,
} from './setting-sections.tsx'
import { ToolsSection } from './tools-section.tsx'
import { useContextOfAgent } from './use-context-of-agent.ts'

/** What the editor keeps in the address: the sections that are open, and whether the whole is shown as JSON. */
export const EDITOR_PARAMS = {
  open: choicesParam(EDITOR_SECTIONS),
  view: choiceParam(['form', 'json'], 'form'),
}

export interface AgentEditorProps {
  agent: AgentDetails
  draft: ConfigDraft
  form: ConfigForm
  /** Why the person may not change it; null: they may. */
  refusal: string | null
}

/** How an agent's settings are shown and found: opens what is around a setting. */
export function useShowSetting(): (path: string) => void {
  const [{ open }, setParams] = useSearchParams(EDITOR_PARAMS)
  return (path) => {
    const place = path.replace(/^(draft\.)?config\./, '')
    const section = sectionOf(place)
    const opened = section === null || open.includes(section) ? open : [...open, section]
    setParams({ view: 'form', open: opened })
    requestAnimationFrame(() => showSetting(place))
  }
}

/** Every setting of an agent, and what the model sees of them. */
export function AgentEditor({ agent, draft, form, refusal }: AgentEditorProps) {
  const [{ view }, setParams] = useSearchParams(EDITOR_PARAMS)
  const [isPromptOpen, setPromptOpen] = useState(false)
  const onShow = useShowSetting()
  const pane = (
    <PromptPane
      agentId={agent.agentId}
      draft={draft}
      refusal={refusal}
      onShow={(path) => {
        setPromptOpen(false)
        onShow(path)
      }}
    />
  )
  return (
    <div className={styles.editor}>
      <div className={styles.main}>
        <div className={styles.top}>
          <Segments
            label={words.view}
            value={view}
            onChange={(next) => setParams({ view: next })}
            options={[
              { id: 'form', label: words.form },
              { id: 'json', label: words.json },
            ]}
          />
          <div className={styles.onlyNarrow}>
            <Button icon={<Eye size={14} />} onPress={() => setPromptOpen(true)}>
              {promptWords.show}
            </Button>
          </div>
        </div>
        {refusal !== null && <Callout>{words.readOnly(refusal)}</Callout>}
        {view === 'json' ? (
          <JsonField
            id={agent.agentId}
            label={words.jsonLabel}
            description={words.jsonHelp}
            value={draft.draft.config}
            onChange={(value) => form.set('', value)}
            isReadOnly={form.isReadOnly}
            error={draft.errorAt('config')}
            maxLines={60}
          />
        ) : (
          <EditorForm agent={agent} draft={draft} form={form} />
        )}
      </div>
      <aside className={styles.aside} aria-label={promptWords.title}>
        <div className={styles.asideHead}>
          <h2>{promptWords.title}</h2>
          <p>{promptWords.detail}</p>
        </div>
        {pane}
      </aside>
      <SideSheet isOpen={isPromptOpen} onClose={() => setPromptOpen(false)} title={promptWords.title}>
        {pane}
      </SideSheet>
    </div>
  )
}

type EditorFormProps = Omit<AgentEditorProps, 'refusal'>

function EditorForm({ agent, draft, form }: EditorFormProps) {
  const [{ open }, setParams] = useSearchParams(EDITOR_PARAMS)
  const context = useContextOfAgent(form, agent.projectId)
  const toggle = (id: EditorSectionId) =>
    setParams({ open: open.includes(id) ? open.filter((one) => one !== id) : [...open, id] })
  const isChanged = (id: EditorSectionId) =>
    draft.changes.some(({ path }) => sectionOf(path.replace(/^config\./, '')) === id)
  return (
    <>
      <IdentityCard draft={draft} isReadOnly={form.isReadOnly} />
      <InstructionsCard form={form} context={context} />
      <Section title={words.model} detail={words.modelDetail}>
        <ModelChainFields form={form} at="model" projectId={agent.projectId} />
      </Section>
      <div className={styles.sections}>
        {EDITOR_SECTIONS.map((id) => (
          <EditorSection
            key={id}
            {...words.sections[id]}
            summary={sectionSummary(id, draft.draft.config)}
            isOpen={open.includes(id)}
            onToggle={() => toggle(id)}
            isChanged={isChanged(id)}
          >
            <SectionFields
              id={id}
              agent={agent}
              draft={draft}
              form={form}
              onJson={() => setParams({ view: 'json' })}
            />
          </EditorSection>
        ))}
      </div>
    </>
  )
}

interface SectionFieldsProps extends EditorFormProps {
  id: EditorSectionId
  onJson(): void
}

function SectionFields({ id, agent, draft, form, onJson }: SectionFieldsProps) {
  const { agentId, projectId } = agent
  const section = { form, agentId, projectId }
  switch (id) {
    case 'tools':
      return <ToolsSection {...section} />
    case 'knowledge':
      return <KnowledgeSection {...section} />
    case 'skills':
      return <SkillsSection {...section} />
    case 'memory':
      return <MemorySection {...section} />
    case 'guardrails':
      return <GuardrailFields form={form} at="guardrails" projectId={projectId} />
    case 'answer':
      return <AnswerSection {...section} />
    case 'limits':
      return <LimitsSection {...section} />
    case 'privacy':
      return <PrivacySection {...section} />
    case 'advanced':
      return <AdvancedSection form={form} draft={draft} onJson={onJson} />
    default:
      return id satisfies never
  }
}
