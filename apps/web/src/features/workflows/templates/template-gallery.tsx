import { FilePlus2 } from 'lucide-react'
import { galleryWords as words } from '../../../core/messages/en/workflows/importing.ts'
import { TEMPLATES } from '../../../core/workflows/templates/gallery.ts'
import { TemplateCards } from '../../../parts/templates/template-cards.tsx'
import { TemplatePicture } from './template-picture.tsx'

/** The option without a template. */
export const OWN = 'own'

export interface TemplateGalleryProps {
  /** The id of a template, or `OWN`. */
  value: string
  onChange(id: string): void
}

/** The start of a new workflow: a trigger, or a template with its diagram. */
export function TemplateGallery({ value, onChange }: TemplateGalleryProps) {
  return (
    <TemplateCards
      own={{ id: OWN, label: words.own, detail: words.ownDetail, icon: <FilePlus2 size={22} /> }}
      templates={TEMPLATES}
      pictureOf={({ graph }) => <TemplatePicture graph={graph} />}
      value={value}
      onChange={onChange}
    />
  )
}
