import type { Param } from '../url/search-params.ts'

/** Two versions that are compared, by their ids: the former first. */
export interface ComparedVersions {
  from: string
  to: string
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** `?compare=a..b`; null when absent or no pair of ids. */
export const comparedParam: Param<ComparedVersions | null> = {
  read: (text) => {
    const [from = '', to = '', ...rest] = (text ?? '').split('..')
    return ID.test(from) && ID.test(to) && rest.length === 0 ? { from, to } : null
  },
  write: (value) => (value === null ? null : `${value.from}..${value.to}`),
}
