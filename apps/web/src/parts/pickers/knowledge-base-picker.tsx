import type { ReactNode } from 'react'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { pickerWords } from '../../core/messages/en/resources/pickers.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/session/session.ts'
import { ChosenList } from './chosen-list.tsx'
import { isUsableIn } from './usable-in.ts'

const words = pickerWords.knowledge

export interface KnowledgeBasePickerProps {
  label: string
  description?: ReactNode
  error?: string | null
  /** `knowledge.base_ids` of an agent. */
  value: readonly string[]
  onChange(ids: string[]): void
  /** The project of the agent; null: it belongs to the organization. */
  projectId: string | null
  isDisabled?: boolean
}

/** Which knowledge bases an agent searches. */
export function KnowledgeBasePicker(props: KnowledgeBasePickerProps) {
  const { value, onChange, projectId, isDisabled, ...field } = props
  const { paths } = usePlace()
  const asked = useOperation('listKnowledgeBases', { query: { limit: 100 } })
  return (
    <AskedPanel asked={asked} failed={words.failed} lines={2}>
      {({ data }) => {
        const usable = data.filter((base) => isUsableIn(projectId, base))
        const detailOf = ({ documents, chunks }: (typeof data)[number]) =>
          words.detail(documents.ready, chunks)
        return (
          <ChosenList
            {...field}
            isDisabled={isDisabled ?? false}
            none={words.none}
            addLabel={words.add}
            items={value.map((id) => {
              const base = usable.find(({ knowledgeBaseId }) => knowledgeBaseId === id)
              return base
                ? { id, name: base.name, detail: detailOf(base), href: paths.knowledgeBase(id) }
                : { id, name: id, isGone: true }
            })}
            options={usable
              .filter(({ knowledgeBaseId }) => !value.includes(knowledgeBaseId))
              .map((base) => ({ id: base.knowledgeBaseId, label: base.name, detail: detailOf(base) }))}
            onAdd={(id) => onChange([...value, id])}
            onRemove={(id) => onChange(value.filter((one) => one !== id))}
            foot={<TextLink href={paths.knowledge}>{words.make}</TextLink>}
          />
        )
      }}
    </AskedPanel>
  )
}
