import type { AgentId, IdText, LlmConfigId, ProjectId } from '@troupe/contract'
import { CalendarClock, ClipboardList, type LucideIcon, Play, Webhook } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { CardChoice } from '../../atoms/controls/card-choice.tsx'
import { Segments } from '../../atoms/controls/choices.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { Toggle } from '../../atoms/controls/toggles.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { useIsSplit } from '../../atoms/overlays/use-is-split.ts'
import { LoadFailure } from '../../atoms/states/panels.tsx'
import { moveWords } from '../../core/messages/en/parts/move.ts'
import { galleryWords } from '../../core/messages/en/workflows/importing.ts'
import { newWorkflowWords as words } from '../../core/messages/en/workflows/page.ts'
import { keepsQuestion, STARTS, type Start, startingDraft } from '../../core/workflows/starting-drafts.ts'
import { TEMPLATES } from '../../core/workflows/templates/gallery.ts'
import { filledGraph } from '../../core/workflows/templates/template.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { controlsOf } from '../../infrastructure/drafts/controls-of.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { useChange, useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useGoToMade } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { SearchPicker } from '../../parts/pickers/search-picker.tsx'
import { ACTIVE_AGENTS } from '../../parts/pickers/searched-lists.ts'
import { useChoices } from '../../parts/pickers/use-choices.ts'
import { ProjectField } from '../../parts/project-field/project-field.tsx'
import { NameAndProject } from '../../parts/templates/name-and-project.tsx'
import styles from './parts/button-row.module.css'
import { openOnCanvas } from './parts/open-on-canvas.ts'
import { ChosenForStep } from './templates/chosen-for-step.tsx'
import { OWN, TemplateGallery } from './templates/template-gallery.tsx'

/** Equal to the definitions of the triggers, which this dialog does not load. */
const START_ICONS: Readonly<Record<Start, LucideIcon>> = {
  'manual-trigger': Play,
  'http-request': Webhook,
  'form-trigger': ClipboardList,
  recurrence: CalendarClock,
}

interface NewWorkflow {
  name: string
  start: Start
  agentId: IdText<AgentId> | null
  isReviewed: boolean
  /** The initial template, or `OWN`. */
  template: string
  projectId: IdText<ProjectId> | null
  /** The agent or the team for the template. */
  chosenId: IdText<LlmConfigId> | null
}

export interface NewWorkflowDialogProps {
  /** Prefilled with a form that the first active agent answers. */
  isExample: boolean
  /** Opens the dialog that imports a file. */
  onImport(): void
  onClose(): void
}

/** Selects the start of a workflow and its next step, so that its first draft can be published immediately. */
export function NewWorkflowDialog({ isExample, onImport, onClose }: NewWorkflowDialogProps) {
  const { paths, projectId: here } = usePlace()
  const goToMade = useGoToMade()
  const isSplit = useIsSplit()
  const first = useOperation(
    'listAgents',
    { query: { status: 'active', limit: 1, ...(here ? { projectId: here } : {}) } },
    { isEnabled: isExample },
  )
  const typed = useTypedForm<NewWorkflow>(
    isExample ? 'workflow/example' : 'workflow/new',
    isExample
      ? {
          name: words.example,
          start: 'form-trigger',
          agentId: first.data?.data[0]?.agentId ?? null,
          isReviewed: false,
          template: OWN,
          projectId: here,
          chosenId: null,
        }
      : {
          name: '',
          start: 'manual-trigger',
          agentId: null,
          isReviewed: false,
          template: OWN,
          projectId: here,
          chosenId: null,
        },
  )
  const { name, start, agentId, isReviewed, projectId } = typed.fields
  // Drafts stored by an earlier version have none.
  const template = TEMPLATES.find(({ id }) => id === typed.fields.template)
  const [isOpened, setOpened] = useState<boolean | null>(null)
  // A restored choice of a template shows the gallery.
  const isGallery = isOpened ?? template !== undefined
  const missingTemplate = isGallery && template === undefined ? galleryWords.choose : null
  // Without its agent, the example would be incomplete.
  const isWaiting = isExample && first.data === undefined && agentId === null
  const missing = isWaiting ? first.failure : null
  const chosen = agentId === null ? [] : [agentId]
  const agents = useChoices(ACTIVE_AGENTS, chosen)
  const agentName = agentId === null ? undefined : agents.thing(agentId)?.name
  const followed = keepsQuestion({ start, agentId }) ? words.keptDetail : words.nothingDetail
  const create = useChange('createWorkflow', { refreshes: ['listWorkflows'] })
  const choose = (id: string) => {
    if (id === typed.fields.template) return
    const isTyped = name !== '' && name !== template?.name
    const chosenTemplate = TEMPLATES.find((one) => one.id === id)
    typed.change({ template: id, chosenId: null, name: isTyped ? name : (chosenTemplate?.name ?? '') })
  }
  const submit = async () => {
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const draft =
      (template && filledGraph(template, typed.fields.chosenId ?? null)) ??
      startingDraft({ start, agentId, isReviewed, timeZone }, words.names)
    const body = { name: name.trim(), draft: { ...draft }, projectId: projectId ?? null }
    const made = await create.run({ body })
    if (!made) return
    typed.discard()
    openOnCanvas(isSplit)
    goToMade(paths.workflow(made.answer.workflowId))
  }
  const control = controlsOf(typed, create.failure)
  return (
    <FormDialog
      title={words.title}
      onClose={onClose}
      action={words.action}
      onSubmit={submit}
      isPending={create.isPending || (isWaiting && missing === null)}
      isComplete={name.trim() !== '' && missing === null && missingTemplate === null}
      missing={missingTemplate}
      failed={words.failed}
      failure={formFailure(create.failure, ['name', 'projectId'])}
      typed={typed}
      width={isExample ? 'normal' : 'wide'}
    >
      <NameAndProject>
        <TextField label={words.name} {...control('name')} autoFocus isRequired maxLength={128} />
        <ProjectField
          label={moveWords.project}
          wholeOrganization={moveWords.wholeOrganization}
          value={projectId ?? null}
          onChange={(next) => typed.change({ projectId: next })}
          error={fieldFailure(create.failure, 'projectId')}
        />
      </NameAndProject>
      {!isExample && (
        <>
          <div className={styles.bar}>
            <Segments
              label={galleryWords.title}
              value={isGallery ? 'template' : 'own'}
              onChange={(next) => {
                setOpened(next === 'template')
                choose(OWN)
              }}
              options={[
                { id: 'own', label: galleryWords.starts.own },
                { id: 'template', label: galleryWords.starts.template },
              ]}
            />
            <span className={styles.end}>
              <Button emphasis="quiet" onPress={onImport}>
                {galleryWords.importInstead}
              </Button>
            </span>
          </div>
          {isGallery && <TemplateGallery value={template?.id ?? null} onChange={choose} />}
        </>
      )}
      {template?.asks && (
        <ChosenForStep
          key={template.id}
          template={template}
          value={typed.fields.chosenId ?? null}
          onChange={(chosenId) => typed.change({ chosenId })}
        />
      )}
      {!isGallery && (
        <>
          <CardChoice
            label={words.start}
            value={start}
            onChange={(next) => typed.change({ start: next })}
            options={STARTS.map((id) => {
              const Icon = START_ICONS[id]
              return { id, icon: <Icon size={22} />, ...words.starts[id] }
            })}
          />
          {missing && (
            <LoadFailure
              title={words.agentMissing}
              failure={missing}
              look="row"
              onRetry={first.retry}
              isRetrying={first.isFetching}
            />
          )}
          <SearchPicker
            label={words.next}
            description={agentId === null ? followed : null}
            placeholder={words.nothing}
            isOptional
            value={agentId}
            name={agentName === undefined ? null : words.ask(agentName)}
            onType={agents.onType}
            isSearching={agents.isSearching}
            onChange={(next) => typed.change({ agentId: next })}
            options={agents.found.map(({ agentId: id, name: agent }) => ({ id, label: words.ask(agent) }))}
          />
          {agentId !== null && (
            <Toggle isSelected={isReviewed} onChange={(next) => typed.change({ isReviewed: next })}>
              {words.reviewed}
            </Toggle>
          )}
        </>
      )}
    </FormDialog>
  )
}
