import type { TrunkFields } from '../../core/phone/trunk-fields.ts'

/** Common props of the form's parts. */
export interface TrunkFormParts {
  fields: TrunkFields
  change(part: Partial<TrunkFields>): void
  /** The error of a field, or of a part of it; null: valid. */
  fault(path: string): string | null
}
