import type { AgentId, CoordinationMode, IdText, ProjectId } from '@troupe/contract'
import type { AgentSummary } from '@troupe/contract/builder'
import { UsersRound, X } from 'lucide-react'
import { Button } from '../../atoms/controls/button.tsx'
import { CardChoice } from '../../atoms/controls/card-choice.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { LinkButton } from '../../atoms/controls/text-link.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { Badge } from '../../atoms/states/badge.tsx'
import { Avatar, Callout } from '../../atoms/states/panels.tsx'
import { moveWords } from '../../core/messages/en/parts/move.ts'
import { templateWords } from '../../core/messages/en/parts/templates.ts'
import { teamPageWords } from '../../core/messages/en/teams/page.ts'
import { TEAM_TEMPLATES } from '../../core/teams/templates.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { randomId } from '../../infrastructure/client/random-id.ts'
import { controlsOf } from '../../infrastructure/drafts/controls-of.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { useChange, useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useGoToMade } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ProjectField } from '../../parts/project-field/project-field.tsx'
import { ModePicture } from '../../parts/team-diagram/mode-picture.tsx'
import { NameAndProject } from '../../parts/templates/name-and-project.tsx'
import { TemplateCards } from '../../parts/templates/template-cards.tsx'
import { AgentPicker, isOffered } from './agent-picker.tsx'
import { MODE_OPTIONS } from './mode-section.tsx'
import styles from './teams.module.css'

const words = teamPageWords.create
const LEAST_MEMBERS = 2
const LONGEST_NAME = 128
/** Fields whose errors the dialog displays itself. */
const SHOWN = ['name', 'config.mode', 'config.members', 'projectId']

type ChosenAgent = Pick<AgentSummary, 'agentId' | 'name' | 'status'>

const chosenAgent = ({ agentId, name, status }: AgentSummary): ChosenAgent => ({ agentId, name, status })

interface NewTeam {
  mode: CoordinationMode
  name: string
  members: readonly ChosenAgent[]
  projectId: IdText<ProjectId> | null
  /** The id of a template, or `OWN`. */
  template: string
  /** Ids of the agents created from the template: a retry after a failure creates none twice. */
  memberIds: readonly IdText<AgentId>[]
}

/** The option to use existing agents. */
const OWN = 'own'
const MOST_MEMBERS = Math.max(...TEAM_TEMPLATES.map(({ members }) => members.length))

export interface NewTeamDialogProps {
  /** Prefilled with a team of the first existing agents. */
  isExample: boolean
  onClose(): void
}

/** A new team: its mode, its name, and its members. Everything else has a default. */
export function NewTeamDialog({ isExample, onClose }: NewTeamDialogProps) {
  const { paths, may, projectId: here } = usePlace()
  const goToMade = useGoToMade()
  const agents = useOperation('listAgents', { query: { limit: 100 } })
  const first = agents.data?.data.filter((agent) => isOffered(here, agent)).slice(0, LEAST_MEMBERS)
  const begin = { projectId: here, template: OWN, memberIds: [] }
  const typed = useTypedForm<NewTeam>(
    isExample ? 'team/example' : 'team/new',
    isExample
      ? { mode: 'handoff', name: words.example, members: (first ?? []).map(chosenAgent), ...begin }
      : { mode: 'handoff', name: '', members: [], ...begin },
  )
  const { mode, name, members, projectId } = typed.fields
  const template = TEAM_TEMPLATES.find(({ id }) => id === typed.fields.template)
  const createAgent = useChange('createAgent', { refreshes: ['listAgents'] })
  const create = useChange('createTeam', { refreshes: ['listTeams', 'getAgent', 'listAgents'] })
  const { failure } = create
  const missing = words.missing(
    name.trim() !== '',
    template ? 0 : Math.max(0, LEAST_MEMBERS - members.length),
  )
  const choose = (id: string) => {
    const isTyped = name !== '' && name !== template?.name
    const next = TEAM_TEMPLATES.find((one) => one.id === id)
    typed.change({
      template: id,
      memberIds: Array.from({ length: MOST_MEMBERS }, randomId),
      name: isTyped ? name : (next?.name ?? ''),
      ...(next ? { mode: next.mode } : {}),
    })
  }
  /** Creates the agents of the template; null when one of them failed. */
  const madeMembers = async (chosen: NonNullable<typeof template>) => {
    const made: { agent: string; role: string }[] = []
    for (const [at, { name: ofAgent, role, instructions }] of chosen.members.entries()) {
      const id = typed.fields.memberIds[at] ?? randomId()
      const body = { id, name: ofAgent, projectId: projectId ?? null, config: { instructions } }
      const answer = await createAgent.run({ body })
      if (!answer) return null
      made.push({ agent: answer.answer.agentId, role })
    }
    return made
  }
  const submit = async () => {
    const named = template ? await madeMembers(template) : members.map(({ agentId }) => ({ agent: agentId }))
    if (named === null) return
    const managed = template ? { instructions: template.instructions } : {}
    const config = { mode, lead: { managed }, members: named }
    const made = await create.run({ body: { name, config, projectId: projectId ?? null } })
    if (!made) return
    typed.discard()
    goToMade(paths.team(made.answer.teamId))
  }
  const control = controlsOf(typed, failure)
  return (
    <FormDialog
      title={words.title}
      onClose={onClose}
      action={words.action}
      onSubmit={() => void submit()}
      isPending={create.isPending || createAgent.isPending}
      isComplete={missing === null}
      missing={missing}
      failed={words.failed}
      failure={createAgent.failure ?? formFailure(failure, SHOWN)}
      typed={typed}
      width="wide"
    >
      <NameAndProject>
        <TextField label={words.name} {...control('name')} autoFocus isRequired maxLength={LONGEST_NAME} />
        <ProjectField
          label={moveWords.project}
          wholeOrganization={moveWords.wholeOrganization}
          {...control('projectId')}
        />
      </NameAndProject>
      {!isExample && (
        <>
          <TemplateCards
            own={{
              id: OWN,
              label: templateWords.ownTeam,
              detail: templateWords.ownTeamDetail,
              icon: <UsersRound size={22} />,
            }}
            templates={TEAM_TEMPLATES}
            pictureOf={(one) => <ModePicture mode={one.mode} size="large" />}
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
      {template ? (
        <Callout tone="info">{templateWords.makes(template.members.map((member) => member.name))}</Callout>
      ) : (
        <>
          <CardChoice
            label={words.mode}
            options={MODE_OPTIONS}
            value={mode}
            onChange={(next) => typed.change({ mode: next })}
            error={fieldFailure(failure, 'config.mode')}
          />
          <ChosenMembers
            members={members}
            onChange={(next) => typed.change({ members: next })}
            projectId={projectId}
            error={fieldFailure(failure, 'config.members')}
          />
        </>
      )}
    </FormDialog>
  )
}

interface ChosenMembersProps {
  members: readonly ChosenAgent[]
  onChange(members: readonly ChosenAgent[]): void
  projectId: IdText<ProjectId> | null
  error: string | null
}

function ChosenMembers({ members, onChange, projectId, error }: ChosenMembersProps) {
  const { paths } = usePlace()
  const agents = useOperation('listAgents', { query: { limit: 100 } })
  const offered = agents.data?.data.filter((agent) => isOffered(projectId, agent)).length ?? 0
  const isShort =
    agents.data !== undefined && agents.data.total <= agents.data.data.length && offered < LEAST_MEMBERS
  const taken = new Map(members.map(({ agentId }) => [agentId, teamPageWords.members.already]))
  if (isShort) {
    return (
      <Callout tone="info">
        <p>{words.fewAgents}</p>
        <LinkButton href={paths.agents}>{words.makeAgents}</LinkButton>
      </Callout>
    )
  }
  return (
    <div className={styles.chosen}>
      <AgentPicker
        label={words.members}
        projectId={projectId}
        taken={taken}
        error={error}
        onChoose={(agent) => onChange([...members, chosenAgent(agent)])}
      />
      <p className={styles.quiet}>{words.membersDetail}</p>
      <ol className={styles.chosen} aria-label={teamPageWords.members.list}>
        {members.map(({ agentId, name, status }, index) => (
          <li key={agentId} className={styles.chosenAgent}>
            <code translate="no" className={styles.quiet}>{`m${index + 1}`}</code>
            <Avatar name={name} shape="square" />
            <span>{name}</span>
            {status === 'draft' && <Badge tone="warn">{teamPageWords.members.draftMark}</Badge>}
            <Button
              emphasis="quiet"
              size="small"
              icon={<X size={14} />}
              aria-label={teamPageWords.members.remove(name)}
              onPress={() => onChange(members.filter((member) => member.agentId !== agentId))}
            />
          </li>
        ))}
      </ol>
    </div>
  )
}
