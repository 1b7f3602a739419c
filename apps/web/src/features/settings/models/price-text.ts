import { money } from '../../../core/format/numbers.ts'
import { modelWords as words } from '../../../core/messages/en/settings/models.ts'
import type { CatalogModelDraft } from '../../../core/models/model-draft.ts'

/** "$0.25 in · $2 out" per million tokens; null: a price is missing, so costs are unknown. */
export function priceText({ inputUsdPerMillion, outputUsdPerMillion }: CatalogModelDraft): string | null {
  if (inputUsdPerMillion === undefined || outputUsdPerMillion === undefined) return null
  return words.price(money(inputUsdPerMillion), money(outputUsdPerMillion))
}
