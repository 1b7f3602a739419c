/** Creating a formatter takes as long as a hundred uses of it, and a table formats hundreds of values. */
function remembered<Options, Formatter>(make: (locale: string, options: Options) => Formatter) {
  const made = new Map<string, Formatter>()
  return (locale: string, options: Options): Formatter => {
    const key = `${locale} ${JSON.stringify(options)}`
    const known = made.get(key)
    if (known !== undefined) return known
    const formatter = make(locale, options)
    made.set(key, formatter)
    return formatter
  }
}

export const dateFormat = remembered(
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
)
export const numberFormat = remembered(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
)
export const relativeFormat = remembered(
  (locale, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(locale, options),
)
export const pluralRules = remembered(
  (locale, options: Intl.PluralRulesOptions) => new Intl.PluralRules(locale, options),
)
