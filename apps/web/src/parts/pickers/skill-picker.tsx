import type { IdText, ProjectId, SkillId } from '@troupe/contract'
import type { ReactNode } from 'react'
import { Select } from '../../atoms/controls/select.tsx'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { pickerWords } from '../../core/messages/en/resources/pickers.ts'
import type { AnswerOf } from '../../infrastructure/client/operation-types.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ChosenList } from './chosen-list.tsx'
import { SKILLS } from './searched-lists.ts'
import { isUsableIn } from './usable-in.ts'
import { type Choices, useChoices } from './use-choices.ts'

const words = pickerWords.skills
const NEWEST = 'newest'

type ListedSkill = AnswerOf<'listSkills'>['data'][number]

/** An item of `skills` of an agent: by its id or its slug; without a version, the newest. */
export interface SkillChoice {
  skill_id?: IdText<SkillId>
  slug?: string
  pinned_version?: number | null
}

export interface SkillPickerProps {
  label: string
  description?: ReactNode
  error?: string | null
  value: readonly SkillChoice[]
  onChange(skills: SkillChoice[]): void
  /** The project of the agent; null: it belongs to the organization. */
  projectId: IdText<ProjectId> | null
  isDisabled?: boolean
}

/** The skills that an agent may load, with their versions. */
export function SkillPicker(props: SkillPickerProps) {
  const { value, onChange, projectId, isDisabled = false, ...field } = props
  const { paths } = usePlace()
  const named = value.map(({ skill_id, slug }) => skill_id?.toLowerCase() ?? slug ?? '')
  const skills = useChoices(SKILLS, named)
  const chosen = value.map((choice) => ({ choice, skill: foundSkill(choice, skills, projectId) }))
  const change = (index: number, next: SkillChoice) =>
    onChange(value.map((one, at) => (at === index ? next : one)))
  return (
    <ChosenList
      {...field}
      error={field.error ?? (skills.failure ? words.failed : null)}
      isDisabled={isDisabled}
      none={words.none}
      addLabel={words.add}
      items={chosen.map(({ choice, skill }, index) => {
        const id = String(index)
        if (!skill) {
          return { id, name: choice.slug ?? choice.skill_id ?? '', isGone: !skills.isLoading }
        }
        const end = (
          <VersionSelect
            key={skill.skillId}
            skill={skill}
            choice={choice}
            isDisabled={isDisabled}
            onChange={(next) => change(index, next)}
          />
        )
        return { id, name: skill.slug, detail: skill.description, href: paths.skill(skill.skillId), end }
      })}
      options={skills.found
        .filter(
          (one) => isUsableIn(projectId, one) && chosen.every(({ skill }) => skill?.skillId !== one.skillId),
        )
        .map(({ skillId, slug, description }) => ({ id: skillId, label: slug, detail: description }))}
      onType={skills.onType}
      isSearching={skills.isSearching}
      onAdd={(id) => onChange([...value, { skill_id: id }])}
      onRemove={(id) => onChange(value.filter((_, index) => String(index) !== id))}
      foot={<TextLink href={paths.skills}>{words.make}</TextLink>}
    />
  )
}

/** A slug refers to the skill of the agent's project, else that of the organization. */
function foundSkill(
  { skill_id, slug }: SkillChoice,
  { known }: Choices<ListedSkill>,
  projectId: IdText<ProjectId> | null,
): ListedSkill | undefined {
  const usable = known.filter((skill) => isUsableIn(projectId, skill))
  if (skill_id) return usable.find(({ skillId }) => skillId === skill_id.toLowerCase())
  const named = usable.filter((skill) => skill.slug === slug)
  return (
    named.find((skill) => skill.projectId === projectId) ?? named.find((skill) => skill.projectId === null)
  )
}

interface VersionSelectProps {
  skill: ListedSkill
  choice: SkillChoice
  isDisabled: boolean
  onChange(choice: SkillChoice): void
}

function VersionSelect({ skill, choice, isDisabled, onChange }: VersionSelectProps) {
  const { pinned_version: pinned, ...named } = choice
  const newest = Array.from({ length: Math.min(skill.version, 100) }, (_, back) => skill.version - back)
  const versions = (pinned && !newest.includes(pinned) ? [...newest, pinned] : newest).map(String)
  return (
    <Select
      label={words.version(skill.slug)}
      isLabelHidden
      isDisabled={isDisabled}
      value={pinned ? String(pinned) : NEWEST}
      options={[
        { id: NEWEST, label: words.newest(skill.version) },
        ...versions.map((id) => ({ id, label: words.pinned(Number(id)) })),
      ]}
      onChange={(id) => onChange(id === NEWEST ? named : { ...named, pinned_version: Number(id) })}
    />
  )
}
