import { Eye } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { Segments } from '../../../atoms/controls/choices.tsx'
import { KeptPart } from '../../../atoms/layout/kept-part.tsx'
import { SectionList } from '../../../atoms/layout/section-list.tsx'
import { useMedia } from '../../../atoms/layout/use-media.ts'
import { SideSheet } from '../../../atoms/overlays/dialog.tsx'
import { lazyPart } from '../../../atoms/parts/lazy-part.ts'
import { Callout, Skeleton } from '../../../atoms/states/panels.tsx'
import { promptWords, agentSectionWords as words } from '../../../core/messages/en/agents/agent-sections.ts'
import { useSearchParams } from '../../../infrastructure/routing/place.ts'
import { JsonValueField } from '../../../parts/config-form/json-value-field.tsx'
import { settingElementId } from '../../../parts/config-form/setting-element-id.ts'
import { EditorAside } from '../../../parts/editor-aside/editor-aside.tsx'
import { EditorSection } from '../../../parts/editor-section/editor-section.tsx'
import { ModelChainFields } from '../../../parts/model-chain/model-chain.tsx'
import { OwnProject } from '../../../parts/move-things/own-project.tsx'
import type { AgentEditorProps, EditorFormProps } from './agent-editor-props.ts'
import styles from './editor.module.css'
import { EDITOR_SECTIONS, type EditorSectionId, OPEN_SECTIONS, placeOfSetting } from './editor-sections.ts'
import { IdentityFields, InstructionsFields } from './identity-fields.tsx'
import { PromptPane } from './prompt-pane.tsx'
import { SaveWarnings } from './save-warnings.tsx'
import { sectionSummary } from './section-summary.ts'
import { useContextOfAgent } from './use-context-of-agent.ts'
import { EDITOR_PARAMS, useShowSetting } from './use-show-setting.ts'

/** Its code is loaded when the first section is opened. */
const SectionFields = lazyPart(async () => (await import('./section-fields.tsx')).SectionFields)

/** As in `editor.module.css`. */
const WIDE = '(min-width: 75rem)'

/** Every setting of an agent, and the resulting prompt. */
export function AgentEditor({ agent, draft, form, refusal, conversations }: AgentEditorProps) {
  const [{ view }, setParams] = useSearchParams(EDITOR_PARAMS)
  const [isPromptOpen, setPromptOpen] = useState(false)
  const isWide = useMedia(WIDE)
  const changed = new Set(draft.changes.map(({ path }) => placeOfSetting(path.replace(/^config\./, ''))))
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
      {view === 'form' && <Sections changed={changed} />}
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
          {!isWide && (
            <Button icon={<Eye size={14} />} onPress={() => setPromptOpen(true)}>
              {promptWords.show}
            </Button>
          )}
        </div>
        {refusal !== null && <Callout>{words.readOnly(refusal)}</Callout>}
        <SaveWarnings warnings={draft.warnings} />
        <KeptPart id={settingElementId('')} isShown={view === 'json'}>
          <JsonValueField
            isObject
            id={agent.agentId}
            label={words.jsonLabel}
            description={words.jsonHelp}
            value={draft.draft.config}
            keeper={form.keeperAt('')}
            onChange={(value) => form.set('', value)}
            isReadOnly={form.isReadOnly}
            error={draft.errorAt('config')}
            maxLines={60}
          />
        </KeptPart>
        <KeptPart isShown={view === 'form'} className={styles.view}>
          <EditorForm agent={agent} draft={draft} form={form} changed={changed} />
        </KeptPart>
      </div>
      {isWide ? (
        <div className={styles.aside}>
          <EditorAside
            kind="agent"
            id={agent.agentId}
            edit={draft}
            conversations={conversations}
            title={promptWords.title}
          >
            <div className={styles.result}>
              <p className={styles.asideHead}>{promptWords.detail}</p>
              {pane}
            </div>
          </EditorAside>
        </div>
      ) : (
        <SideSheet isOpen={isPromptOpen} onClose={() => setPromptOpen(false)} title={promptWords.title}>
          {pane}
        </SideSheet>
      )}
    </div>
  )
}

/** The unsaved settings, by section. */
type ChangedSections = ReadonlySet<string>

/** Links to each section; a press opens it. */
function Sections({ changed }: { changed: ChangedSections }) {
  const [{ open }, setParams] = useSearchParams(EDITOR_PARAMS)
  return (
    <SectionList
      label={words.sectionList}
      items={[...OPEN_SECTIONS, ...EDITOR_SECTIONS].map((id) => ({
        id,
        label: words.sections[id].title,
        isChanged: changed.has(id),
      }))}
      onGo={(id) => {
        const folded = EDITOR_SECTIONS.find((one) => one === id)
        if (folded && !open.includes(folded)) setParams({ open: [...open, folded] })
      }}
    />
  )
}

function EditorForm({ agent, draft, form, changed }: EditorFormProps & { changed: ChangedSections }) {
  const [{ open }, setParams] = useSearchParams(EDITOR_PARAMS)
  const context = useContextOfAgent(form, agent.projectId)
  const toggle = (id: EditorSectionId) =>
    setParams({ open: open.includes(id) ? open.filter((one) => one !== id) : [...open, id] })
  const fixed = (id: (typeof OPEN_SECTIONS)[number]) => ({
    id,
    ...words.sections[id],
    isChanged: changed.has(id),
  })
  return (
    <>
      <EditorSection {...fixed('instructions')}>
        <InstructionsFields form={form} context={context} />
      </EditorSection>
      <EditorSection {...fixed('model')}>
        <ModelChainFields form={form} at="model" projectId={agent.projectId} />
      </EditorSection>
      <EditorSection {...fixed('identity')}>
        <IdentityFields draft={draft} isReadOnly={form.isReadOnly} />
        <OwnProject
          thing={{ kind: 'agent', id: agent.agentId, name: agent.name, projectId: agent.projectId }}
        />
      </EditorSection>
      {EDITOR_SECTIONS.map((id) => (
        <EditorSection
          key={id}
          id={id}
          {...words.sections[id]}
          isChanged={changed.has(id)}
          fold={{
            summary: sectionSummary(id, draft.draft.config),
            isOpen: open.includes(id),
            onToggle: () => toggle(id),
          }}
        >
          <Suspense fallback={<Skeleton lines={3} />}>
            <SectionFields
              id={id}
              agent={agent}
              draft={draft}
              form={form}
              onJson={() => setParams({ view: 'json' })}
            />
          </Suspense>
        </EditorSection>
      ))}
    </>
  )
}
