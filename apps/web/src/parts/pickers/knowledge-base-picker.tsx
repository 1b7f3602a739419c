import type { IdText, KnowledgeBase, ProjectId } from '@troupe/contract'
import type { ReactNode } from 'react'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { pickerWords } from '../../core/messages/en/resources/pickers.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ChosenList } from './chosen-list.tsx'
import { KNOWLEDGE_BASES } from './searched-lists.ts'
import { isUsableIn } from './usable-in.ts'
import { useChoices } from './use-choices.ts'

const words = pickerWords.knowledge

export interface KnowledgeBasePickerProps {
  label: string
  description?: ReactNode
  error?: string | null
  /** `knowledge.base_ids` of an agent. */
  value: readonly string[]
  onChange(ids: string[]): void
  /** The project of the agent; null: it belongs to the organization. */
  projectId: IdText<ProjectId> | null
  isDisabled?: boolean
}

/** The knowledge bases that an agent searches. */
export function KnowledgeBasePicker(props: KnowledgeBasePickerProps) {
  const { value, onChange, projectId, isDisabled, ...field } = props
  const { paths } = usePlace()
  const bases = useChoices(KNOWLEDGE_BASES, value)
  const detailOf = ({ documents, chunks }: KnowledgeBase) =>
    words.detail(documents.ready + documents.queued + documents.failed, chunks)
  return (
    <ChosenList
      {...field}
      error={field.error ?? (bases.failure ? words.failed : null)}
      isDisabled={isDisabled ?? false}
      none={words.none}
      addLabel={words.add}
      items={value.map((id) => {
        const base = bases.thing(id)
        if (!base) return { id, name: id, isGone: bases.isGone(id) }
        const isGone = !isUsableIn(projectId, base)
        return { id, name: base.name, detail: detailOf(base), href: paths.knowledgeBase(id), isGone }
      })}
      options={bases.found
        .filter((base) => isUsableIn(projectId, base) && !value.includes(base.knowledgeBaseId))
        .map((base) => ({ id: base.knowledgeBaseId, label: base.name, detail: detailOf(base) }))}
      onType={bases.onType}
      isSearching={bases.isSearching}
      onAdd={(id) => onChange([...value, id])}
      onRemove={(id) => onChange(value.filter((one) => one !== id))}
      foot={<TextLink href={paths.knowledge}>{words.make}</TextLink>}
    />
  )
}
