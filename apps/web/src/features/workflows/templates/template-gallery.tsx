import { TEMPLATES } from '../../../core/workflows/templates/gallery.ts'
import { TemplateCards } from '../../../parts/templates/template-cards.tsx'
import { TemplatePicture } from './template-picture.tsx'

/** The start of a workflow without a template. */
export const OWN = 'own'

export interface TemplateGalleryProps {
  /** The id of a template; null: none yet. */
  value: string | null
  onChange(id: string): void
}

/** The templates of a new workflow with their diagrams. */
export function TemplateGallery({ value, onChange }: TemplateGalleryProps) {
  return (
    <TemplateCards
      own={null}
      templates={TEMPLATES}
      pictureOf={({ graph }) => <TemplatePicture graph={graph} />}
      value={value}
      onChange={onChange}
    />
  )
}
