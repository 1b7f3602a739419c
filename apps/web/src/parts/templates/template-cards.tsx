import { Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { CardChoice } from '../../atoms/controls/card-choice.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { templateWords as words } from '../../core/messages/en/parts/templates.ts'
import { findTemplates } from '../../core/templates/find-templates.ts'
import styles from './templates.module.css'

interface ShownTemplate {
  id: string
  name: string
  detail: string
  keywords: readonly string[]
}

export interface TemplateCardsProps<T extends ShownTemplate> {
  /** The option without a template, listed first; null: chosen elsewhere. */
  own: { id: string; label: string; detail: string; icon: ReactNode } | null
  templates: readonly T[]
  pictureOf(template: T): ReactNode
  /** The id of a template, or that of `own`; null: none yet. */
  value: string | null
  onChange(id: string): void
}

/** The start of a new resource: empty, or a template with its diagram, found by its words. */
export function TemplateCards<T extends ShownTemplate>(props: TemplateCardsProps<T>) {
  const { own, templates, pictureOf, value, onChange } = props
  const [typed, setTyped] = useState('')
  const found = findTemplates(templates, typed)
  return (
    <>
      <div className={styles.head}>
        {own !== null && (
          <span className={styles.title} aria-hidden="true">
            {words.title}
          </span>
        )}
        <TextField
          label={words.search}
          isLabelHidden
          placeholder={words.search}
          icon={<Search size={14} />}
          value={typed}
          onChange={setTyped}
          maxLength={100}
        />
      </div>
      <CardChoice
        label={words.title}
        isLabelHidden
        description={found.length === 0 ? words.none : null}
        value={value}
        onChange={onChange}
        options={[
          ...(own === null ? [] : [own]),
          ...found.map((template) => ({
            id: template.id,
            label: template.name,
            detail: template.detail,
            icon: pictureOf(template),
          })),
        ]}
      />
    </>
  )
}
