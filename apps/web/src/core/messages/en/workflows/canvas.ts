import type { Refusal } from '@troupe/editor/document/transaction'
import { counted } from '../../../format/numbers.ts'

const steps = (count: number) => counted(count, 'step', 'steps')

const firstOf = (names: readonly string[], one: string, many: string) =>
  `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${counted(names.length - 3, one, many)}` : ''}`

/** Words of the commands on steps, on the canvas and in the list. */
export const commandWords = {
  titles: {
    add: 'Add a step after it…',
    insert: 'Insert a step before it…',
    trigger: 'Add a trigger…',
    note: 'Add a note',
    connect: 'Connect to a step…',
    disconnect: 'Remove a connection…',
    replace: 'Change its type…',
    duplicate: 'Duplicate',
    disable: 'Disable or enable',
    copy: 'Copy',
    cut: 'Cut',
    paste: 'Paste',
    remove: 'Remove',
    wrap: 'Wrap in a Loop',
    unwrap: 'Unwrap the Loop',
    frame: 'Move into a Loop or out of it…',
    earlier: 'Move earlier',
    later: 'Move later',
    align: 'Align…',
    tidy: 'Tidy up',
  },
  more: 'More commands',
  label: 'Commands for steps',
  search: 'Type to search',
  nothingFound: 'No match.',
  otherType: 'No step type matches. An AI Agent calls other services with its tools.',
  asTrigger: 'Triggers: they start the workflow',
  moreOptions: (count: number) => `${counted(count, 'more match', 'more matches')}. Type to narrow the list.`,
  which: {
    handle: (name: string) => `Which output of “${name}”?`,
    type: 'Which step?',
    triggerType: 'What starts the workflow?',
    newType: (name: string) => `What should ${name} become?`,
    target: (name: string) => `Connect ${name} to which step?`,
    targetOfAll: (count: number) => `Connect ${steps(count)} to which step?`,
    edge: 'Which connection?',
    frame: 'Move it where?',
    alignment: 'Align how?',
  },
  groups: {
    triggers: 'Triggers',
    ai: 'AI',
    logic: 'Logic',
    data: 'Data',
    people: 'People',
    canvas: 'Notes',
  },
  outside: 'Outside this Loop',
  alignments: {
    left: 'Left edges',
    center: 'Centers, in a column',
    right: 'Right edges',
    top: 'Top edges',
    middle: 'Middles, in a row',
    bottom: 'Bottom edges',
    across: 'Equal gaps, side by side',
    down: 'Equal gaps, below each other',
  },
  way: (from: string, handle: string, to: string) => `${from} (${handle}) → ${to}`,
  plainWay: (from: string, to: string) => `${from} → ${to}`,
  /** In the undo history. */
  done: {
    add: (title: string) => `Add ${title}`,
    insert: (title: string) => `Insert ${title}`,
    trigger: (title: string) => `Add ${title}`,
    note: 'Add a note',
    connect: (name: string) => `Connect ${name}`,
    disconnect: 'Remove a connection',
    replace: (name: string, title: string) => `Change ${name} to ${title}`,
    duplicate: (what: string) => `Duplicate ${what}`,
    disable: (what: string) => `Disable ${what}`,
    enable: (what: string) => `Enable ${what}`,
    paste: (count: number) => `Paste ${steps(count)}`,
    cut: (what: string) => `Cut ${what}`,
    remove: (what: string) => `Remove ${what}`,
    wrap: (what: string) => `Wrap ${what} in a Loop`,
    unwrap: (name: string) => `Unwrap ${name}`,
    frame: (what: string) => `Move ${what} to another level`,
    earlier: (name: string) => `Move ${name} earlier`,
    later: (name: string) => `Move ${name} later`,
    move: (what: string) => `Move ${what}`,
    align: (what: string) => `Align ${what}`,
    tidy: 'Tidy up',
    resize: (name: string) => `Resize ${name}`,
  },
  removed: (name: string, count: number) =>
    count === 1 ? `${name} is removed` : `${steps(count)} are removed`,
  takeBack: 'Undo',
  back: (name: string, count: number) =>
    count === 1 ? `${name} is back in the draft` : `${steps(count)} are back in the draft`,
  lostTokens: (isOne: boolean, names: readonly string[]) =>
    `${isOne ? 'Its' : 'Their'} tokens have lost their source in ${firstOf(names, 'other step', 'other steps')}.`,
  lostCases: (isOne: boolean, names: readonly string[]) =>
    `${names.length === 1 ? 'This test case uses' : 'These test cases use'} ${isOne ? 'it' : 'them'}: ${firstOf(names, 'other', 'others')}.`,
  lostPins: (isOne: boolean, names: readonly string[]) =>
    isOne
      ? 'Its pinned output goes with it.'
      : `${counted(names.length, 'pinned output goes', 'pinned outputs go')} with them: ${firstOf(names, 'other', 'others')}.`,
  lostUndo: 'Undo brings it back.',
  what: (name: string, count: number) => (count === 1 ? name : steps(count)),
  needs: {
    one: 'Choose one step first.',
    some: 'Choose a step first.',
    several: 'Choose several steps first.',
    wayOut: 'Nothing can follow this step.',
    wayIn: 'No connection leads to this step.',
    edge: 'This step has no connections.',
    target: 'There is no step to connect to.',
    loop: 'This is not a Loop.',
    frame: 'There is no Loop to move it into.',
    type: 'No other type fits here.',
  },
  refusals: {
    unknown_step: 'The step is no longer in the draft.',
    unknown_edge: 'The connection is no longer in the draft.',
    unknown_handle: 'The step has no such output.',
    unknown_type: 'This server does not support this type of step.',
    no_way_in: 'Triggers and notes have no input.',
    other_level: 'Only steps of the same Loop can be connected.',
    makes_a_cycle: 'This connection would make a cycle. Use a Loop to repeat steps.',
    not_together: 'Select the steps between them, too, to wrap them together.',
    is_trigger:
      'A trigger starts the workflow. It cannot be moved into a Loop or changed to another type of step.',
    trigger_runs: 'A trigger cannot be disabled. Remove its connection instead.',
    not_a_loop: 'Only a Loop holds other steps.',
    id_taken: 'Another step has this id.',
    invalid_id: 'An id has 1 to 64 letters, digits, _ or -.',
    nothing_to_paste: 'There is nothing to paste.',
    too_many_steps: 'A workflow has at most 10,000 steps.',
    nothing_to_move: 'The step cannot move in that direction.',
    repeated_id: 'Two steps have the same id.',
  } satisfies Record<Refusal, string>,
} as const

/** Words of copying and pasting steps. */
export const clipboardWords = {
  copied: (count: number) => `Copied ${steps(count)}`,
  copiedDetail: 'Paste them into any workflow, including on another Troupe server.',
  nothingChosen: 'Choose the steps to copy first.',
  refused: 'Nothing was pasted',
  faults: {
    tooLarge: 'The clipboard is larger than a workflow can be: at most 4 MB.',
    foreign: 'The clipboard holds no steps. Copy steps of a workflow first: of Troupe, n8n or Dify.',
  },
  faulty: (detail: string) => `The steps on the clipboard have a fault: ${detail}.`,
  noRead: (keys: string) => `The browser did not let the button read the clipboard. Press ${keys}.`,
  pastedTitle: 'Pasted from another product',
  pastedDetail: 'The steps are in the workflow; one undo removes them. The nodes were mapped like this:',
  unchecked: 'The server could not check the agents of these steps.',
  mapTitle: 'Some agents are not here',
  mapDetail:
    'The copied steps use agents or teams that this organization does not have. Choose replacements. A step without one keeps the old id, and the check before publishing reports it.',
  mapAction: 'Paste',
  mapFailed: 'Nothing was pasted',
  usedBy: (kind: 'agent' | 'team', names: readonly string[]) => {
    const [first = '', ...others] = names
    const who = others.length === 0 ? first : `${first} and ${others.length} more`
    return kind === 'agent' ? `Agent of ${who}` : `Team of ${who}`
  },
} as const

/** Words of the canvas on which a draft is edited. */
export const canvasWords = {
  hint: 'Arrow keys move along the steps, Enter opens one, X selects it, A adds a step, C connects, Delete removes. A question mark lists all keys. The view Steps has the same as a list.',
  selected: (count: number) => `${steps(count)} selected`,
  noneSelected: 'Nothing selected',
  oneSelected: (name: string, isSelected: boolean) => `${name} ${isSelected ? 'selected' : 'not selected'}`,
  moving: (what: string) => `Moving ${what}: arrow keys move, Enter puts it down, Escape takes it back`,
  moved: (what: string) => `Moved ${what}`,
  movedBack: (what: string) => `${what} is back in its place`,
  into: (name: string) => `Moves into ${name}`,
  outOf: (name: string) => `Moves out of ${name}`,
  connects: (name: string) => `Connects to ${name}`,
  addsHere: 'Let go to add a step here',
  noStep: 'Only a step can follow.',
  port: (name: string, handle: string) => `${name}, ${handle}`,
  insertHere: 'Insert a step on this connection',
  removeEdge: 'Remove this connection',
  keys: {
    select: 'Select the step',
    selectAll: 'Select all steps',
    move: 'Move with the arrow keys',
    fold: 'Collapse or expand the Loop',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fit: 'Show everything',
    center: 'Show the step at its own size',
  },
  addTrigger: 'Add trigger',
  add: 'Add step',
  failed: 'The draft was not changed',
  broken: 'The canvas stopped working',
  brokenDetail: 'The draft is safe, and all steps are in the list.',
} as const
