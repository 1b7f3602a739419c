import { type CellObject, SSF, utils } from '@e965/xlsx'

/** The value of a cell as text, with its comments and the address of its link. */
export function cellText(cell: CellObject, is1904: boolean): string {
  const value = valueText(cell, is1904)
  const address = cell.l?.Target
  const link = address !== undefined && address !== value && !address.startsWith('#') ? `<${address}>` : ''
  const comments = (cell.c ?? []).map(({ a, t }) => `[${a ? `${a}: ` : ''}${(t ?? '').trim()}]`)
  return [value, link, ...comments].filter((part) => part !== '').join(' ')
}

function valueText(cell: CellObject, is1904: boolean): string {
  // Programs that generate workbooks often store formulas without values.
  if (cell.t === 'z' || cell.v === undefined) return cell.f ? `=${cell.f}` : ''
  const format = typeof cell.z === 'string' ? cell.z : null
  if (cell.t === 'n' && typeof cell.v === 'number' && format !== null) {
    const kind = dateKind(format)
    if (kind !== null) return dateText(cell.v, kind, is1904)
    if (format.includes('[$')) return utils.format_cell({ t: 'n', v: cell.v, z: withPlainCurrency(format) })
  }
  return utils.format_cell(cell)
}

/** `[$-407]` is a language, not a dollar; `[$€-407]` is a euro in a language. */
function withPlainCurrency(format: string): string {
  return format.replace(/\[\$([^\]-]*)(?:-[^\]]*)?\]/g, (_, symbol: string) =>
    symbol === '' ? '' : `"${symbol}"`,
  )
}

type DateKind = 'date' | 'time' | 'date-time' | 'elapsed'

/** The kind of moment that a number format displays; null for a format of numbers. */
function dateKind(format: string): DateKind | null {
  const [first = ''] = format.split(';')
  if (/\[(?:h+|m+|s+)\]/i.test(first)) return 'elapsed'
  // Texts, escaped characters, colors, languages and fillers show nothing of the value.
  const plain = first.replace(/"[^"]{0,255}"|\\.|\[[^\]]{0,255}\]|[_*]./g, '').replace(/AM\/PM|A\/P/gi, 'h')
  // A zero behind a dot shows parts of a second.
  if (/general|[0#?@]/i.test(plain.replace(/s\.0+/gi, 's'))) return null
  const [hasTime, hasDate] = [
    /[hs]/i.test(plain),
    /[ydeg]/i.test(plain) || (/m/i.test(plain) && !/[hs]/i.test(plain)),
  ]
  if (hasDate) return hasTime ? 'date-time' : 'date'
  return hasTime ? 'time' : null
}

const two = (value: number) => String(value).padStart(2, '0')

function dateText(value: number, kind: DateKind, is1904: boolean): string {
  const sign = value < 0 ? '-' : ''
  const seconds = Math.round(Math.abs(value) * 86_400)
  if (kind === 'elapsed' || (kind === 'time' && value < 0)) {
    return `${sign}${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  }
  const code = value < 0 ? null : SSF.parse_date_code(value, { date1904: is1904 })
  if (!code) return String(value)
  const date = `${String(code.y).padStart(4, '0')}-${two(code.m)}-${two(code.d)}`
  const time = `${two(code.H)}:${two(code.M)}${code.S >= 1 ? `:${two(Math.floor(code.S))}` : ''}`
  if (kind === 'time') return time
  // A moment without its time of day is a date; a date with one keeps it.
  return kind === 'date' ? date : `${date} ${time}`
}
