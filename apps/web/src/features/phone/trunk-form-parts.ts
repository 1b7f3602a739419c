import type { TrunkFields } from '../../core/phone/trunk-fields.ts'

/** Common props of the form's parts. */
export interface TrunkFormParts {
  fields: TrunkFields
  change(part: Partial<TrunkFields>): void
  /** The fault of a field, or of something in it; null: it is right. */
  fault(path: string): string | null
}
