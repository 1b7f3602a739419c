import { counted } from '../../../format/numbers.ts'

/** The callers of the saved state, by kind. */
interface LiveFor {
  agent: number
  team: number
  workflow: number
}

function liveFor({ agent, team, workflow }: LiveFor): string {
  const parts = [
    ...(agent > 0 ? [counted(agent, 'agent', 'agents')] : []),
    ...(team > 0 ? [counted(team, 'team', 'teams')] : []),
    ...(workflow > 0 ? [counted(workflow, 'workflow', 'workflows')] : []),
  ]
  return parts.join(', ')
}

const NOUNS = { agent: 'agent', team: 'team', voice_configuration: 'voice' } as const

/** Texts of edits that are not saved yet, and of saving them. */
export const unsavedWords = {
  secretTitle: (kind: string) => `Leave without the ${kind}?`,
  secretText: 'It is shown only once. Copy it before you leave.',
  secretLeave: 'Leave',
  unread: (label: string) => `Nothing was saved: the text of “${label}” is not valid yet`,
  unreadNote: (label: string) => `The text of “${label}” is not valid JSON yet, so nothing can be saved.`,
  show: 'Show',
  bar: 'Unsaved changes',
  count: (changes: number) => counted(changes, 'unsaved change', 'unsaved changes'),
  keptHere: 'Kept on this device until you save.',
  keptEverywhere: 'Kept on all your devices until you save.',
  notKept: 'This browser cannot store your changes. Save before you reload.',
  review: 'Review changes',
  discard: 'Discard',
  more: 'More about your changes',
  liveFor: (use: LiveFor) => (liveFor(use) === '' ? '' : `Live for ${liveFor(use)}`),
  save: (use: LiveFor) => (liveFor(use) === '' ? 'Save' : `Save: live for ${liveFor(use)}`),
  saveKey: 'Save',
  saved: 'Saved',
  savedVersion: (version: number, noun: keyof typeof NOUNS, isLive: boolean) => {
    if (noun === 'voice_configuration') return 'Sessions and calls that start now use it.'
    return isLive
      ? `Callers run version ${version} now.`
      : `It is version ${version}. Callers get an error until the ${NOUNS[noun]} is reopened.`
  },
  joined: (who: string | null, settings: number) =>
    `Merged with changes by ${who ?? 'somebody else'} (${counted(settings, 'setting', 'settings')}).`,
  failed: 'The changes were not saved',
  problems: (count: number) => `${counted(count, 'setting needs', 'settings need')} attention`,
  meanwhile: (who: string | null, when: string, settings: number) =>
    `${who ?? 'Somebody'} changed ${counted(settings, 'setting', 'settings')} that you also changed, ${when}.`,
  resolve: 'Decide…',
  discardTitle: 'Discard your changes?',
  discardText: (changes: number) =>
    `${counted(changes, 'change', 'changes')} will be lost. The live version stays as it is.`,
  discardAction: 'Discard changes',
  unreadGone: (label: string) =>
    `The text of “${label}” is not valid JSON, and its item was removed. “Review changes” shows it.`,
  dropText: 'Discard this text',
  dropOf: (label: string) => `Discard this text: ${label}`,
  showText: (label: string) => `Show ${label}`,
  textDropped: (label: string) => `The text of “${label}” was discarded`,
  undo: 'Undo',
  newerTyped: 'There are newer changes',
  newerTypedDetail: 'You made them after discarding. Undo would replace them.',
  replaceNewer: 'Replace them',
  partOf: (place: string, field: string) => `${place}: ${field}`,
  on: 'On',
  off: 'Off',
  absent: 'Not set',
  inOrder: (place: number, item: string) => `${place}. ${item}`,
  empty: 'Empty',
} as const
