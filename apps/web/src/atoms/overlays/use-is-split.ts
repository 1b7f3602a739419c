import { useMedia } from '../layout/use-media.ts'

const WIDE = '(min-width: 64rem)'

/** Whether the details of the selection are beside the list; on narrower windows they cover the page. */
export function useIsSplit(): boolean {
  return useMedia(WIDE)
}
