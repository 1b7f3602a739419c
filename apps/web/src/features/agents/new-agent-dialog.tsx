import {
  BookOpenCheck,
  Braces,
  BrainCircuit,
  FilePlus2,
  Headset,
  type LucideIcon,
  PenLine,
  SearchCheck,
} from 'lucide-react'
import { TextArea, TextField } from '../../atoms/controls/text-field.tsx'
import { LinkButton } from '../../atoms/controls/text-link.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { AGENT_TEMPLATES } from '../../core/agents/templates.ts'
import { agentWords } from '../../core/messages/en/agents/agents.ts'
import { moveWords } from '../../core/messages/en/parts/move.ts'
import { templateWords } from '../../core/messages/en/parts/templates.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { controlsOf } from '../../infrastructure/drafts/controls-of.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useGoToMade } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ProjectField } from '../../parts/project-field/project-field.tsx'
import { NameAndProject } from '../../parts/templates/name-and-project.tsx'
import { TemplateCards } from '../../parts/templates/template-cards.tsx'

/** The option without instructions. */
const OWN = 'own'

const ICONS: Readonly<Record<string, LucideIcon>> = {
  support: Headset,
  sources: BookOpenCheck,
  extract: Braces,
  companion: BrainCircuit,
  writer: PenLine,
  critic: SearchCheck,
}

export interface NewAgentDialogProps {
  /** Prefilled with a working agent. */
  isExample: boolean
  onClose(): void
}

/** Creating an agent requires a name only; a template also shows its instructions. */
export function NewAgentDialog({ isExample, onClose }: NewAgentDialogProps) {
  const { paths, may, projectId: here } = usePlace()
  const goToMade = useGoToMade()
  const typed = useTypedForm(isExample ? 'agent/example' : 'agent/new', {
    ...(isExample ? agentWords.example : { name: '', instructions: '' }),
    template: OWN,
    projectId: here,
  })
  const { name, instructions, projectId } = typed.fields
  const template = AGENT_TEMPLATES.find(({ id }) => id === typed.fields.template)
  const create = useChange('createAgent', { refreshes: ['listAgents', 'getAgent'] })
  const choose = (id: string) => {
    const isTyped = name !== '' && name !== template?.name
    const next = AGENT_TEMPLATES.find((one) => one.id === id)
    typed.change({
      template: id,
      name: isTyped ? name : (next?.name ?? ''),
      instructions: next?.config.instructions ?? '',
    })
  }
  const submit = async () => {
    const config = { ...template?.config, ...(instructions === '' ? {} : { instructions }) }
    const made = await create.run({
      body: { name, projectId: projectId ?? null, ...(Object.keys(config).length > 0 ? { config } : {}) },
    })
    if (!made) return
    typed.discard()
    goToMade(paths.agent(made.answer.agentId))
  }
  const control = controlsOf(typed, create.failure)
  return (
    <FormDialog
      title={agentWords.create}
      onClose={onClose}
      action={agentWords.createAction}
      onSubmit={submit}
      isPending={create.isPending}
      isComplete={name.trim() !== ''}
      failed={agentWords.createFailed}
      failure={formFailure(create.failure, ['name', 'config.instructions', 'projectId'])}
      typed={typed}
      width={isExample ? 'normal' : 'wide'}
    >
      <NameAndProject>
        <TextField
          label={agentWords.nameLabel}
          description={agentWords.nameDetail}
          {...control('name')}
          autoFocus
          isRequired
          maxLength={128}
        />
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
          <TemplateCards
            own={{
              id: OWN,
              label: templateWords.emptyAgent,
              detail: templateWords.emptyAgentDetail,
              icon: <FilePlus2 size={22} />,
            }}
            templates={AGENT_TEMPLATES}
            pictureOf={({ id }) => {
              const Icon = ICONS[id] ?? FilePlus2
              return <Icon size={22} />
            }}
            value={template?.id ?? OWN}
            onChange={choose}
          />
          {may('manage') && (
            <div>
              <LinkButton href={paths.settings('bundle')}>{templateWords.importBundle}</LinkButton>
            </div>
          )}
        </>
      )}
      {(isExample || template) && (
        <TextArea
          label={agentWords.instructionsLabel}
          value={instructions}
          onChange={(next) => typed.change({ instructions: next })}
          rows={7}
          error={fieldFailure(create.failure, 'config.instructions')}
        />
      )}
      {template?.needs && <Callout tone="info">{templateWords.needs(template.needs)}</Callout>}
    </FormDialog>
  )
}
