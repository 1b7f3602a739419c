import { percent } from '../format/numbers.ts'
import { usageWords as words } from '../messages/en/operate/usage.ts'
import { type BudgetForecast, dayOfMonth } from './forecast.ts'

/** "Used up on the 23rd at this pace". */
export function forecastText(forecast: BudgetForecast): string {
  switch (forecast.kind) {
    case 'full-on':
      return words.forecast.fullOn(dayOfMonth(forecast.at))
    case 'ends':
      return words.forecast.ends(percent(forecast.share))
    default:
      return words.forecast[forecast.kind]
  }
}

/** Whether calls are or will be refused this month. */
export function isShort({ kind }: BudgetForecast): boolean {
  return kind === 'full' || kind === 'full-on'
}
