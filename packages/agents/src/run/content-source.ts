import type { StreamEvent } from '@troupe/contract'

/** The author of streamed content. */
export type ContentSource = Extract<StreamEvent, { event: 'RunContent' }>['source']
