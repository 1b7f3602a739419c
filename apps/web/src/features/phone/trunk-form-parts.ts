import type { TrunkFields } from '../../core/phone/trunk-fields.ts'
import type { Controls } from '../../infrastructure/drafts/controls-of.ts'

/** Common props of the form's parts. */
export interface TrunkFormParts {
  fields: TrunkFields
  change(part: Partial<TrunkFields>): void
  control: Controls<TrunkFields>
  /** The error of a field, or of a part of it; null: valid. */
  fault(path: string): string | null
}
