import { FilePlus2 } from 'lucide-react'
import { useState } from 'react'
import { CardChoice } from '../../../atoms/controls/card-choice.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { galleryWords as words } from '../../../core/messages/en/workflows/importing.ts'
import { findTemplates } from '../../../core/workflows/templates/gallery.ts'
import { TemplatePicture } from './template-picture.tsx'

/** The choice of a draft of one's own. */
export const OWN = 'own'

export interface TemplateGalleryProps {
  /** The id of a template, or `OWN`. */
  value: string
  onChange(id: string): void
}

/** What a new workflow begins with: a trigger of one's own, or a template with its picture. */
export function TemplateGallery({ value, onChange }: TemplateGalleryProps) {
  const [typed, setTyped] = useState('')
  const found = findTemplates(typed)
  return (
    <>
      <TextField label={words.search} value={typed} onChange={setTyped} maxLength={100} />
      <CardChoice
        label={words.title}
        description={found.length === 0 ? words.none : null}
        value={value}
        onChange={onChange}
        options={[
          { id: OWN, label: words.own, detail: words.ownDetail, icon: <FilePlus2 size={22} /> },
          ...found.map(({ id, name, detail, graph }) => ({
            id,
            label: name,
            detail,
            icon: <TemplatePicture graph={graph} />,
          })),
        ]}
      />
    </>
  )
}
