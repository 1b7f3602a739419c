import type { TrunkFields } from '../../core/phone/trunk-fields.ts'

/** What the parts of the form share. */
export interface TrunkFormParts {
  fields: TrunkFields
  change(part: Partial<TrunkFields>): void
  /** The fault of a field, or of something in it; null: it is right. */
  fault(path: string): string | null
}
