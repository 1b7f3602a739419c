import type { ParsedLocation } from '@tanstack/react-router'

declare module '@tanstack/history' {
  interface HistoryState {
    /** The first entry of the visit of a page: changes of its search parameters belong to it. */
    visit?: string | undefined
  }
}

/** The id of the page visit that a history entry belongs to; undefined: unknown. */
export function visitOf({ visit, __TSR_key: own }: ParsedLocation['state']): string | undefined {
  return visit ?? own
}

/** The key under which the router stores the scroll position of a page. */
export const scrollKeyOf = ({ state, href }: ParsedLocation): string => visitOf(state) ?? href

/**
 * Whether a page starts at its top, or at its last scroll position: another page does, and so does another hash, which is an anchor
 * of the page. A search parameter changes the content and not the position.
 */
export function isOtherPage(): (shown: { location: ParsedLocation }) => boolean {
  let former: Pick<ParsedLocation, 'pathname' | 'hash'> | null = null
  return ({ location: { pathname, hash } }) => {
    const isOther = pathname !== former?.pathname
    // The hash of the skip link stays in the address.
    const isJump = hash !== '' && hash !== former?.hash
    former = { pathname, hash }
    return isOther || isJump
  }
}
