import { useMemo, useRef, useState } from 'react'
import { CommandPalette } from '../../../atoms/overlays/command-palette.tsx'
import type { Question } from '../../../core/canvas/step-commands.ts'
import { commandWords as words } from '../../../core/messages/en/workflows/canvas.ts'
import type { AnchorNow } from '../../../core/overlays/popover-place.ts'
import { NodeIcon } from '../parts/node-icon.tsx'

/** Maximum listed choices; typing filters them. */
const MOST = 60

export interface ChoiceDialogProps {
  question: Question
  /** The anchor of the prompt; null: no visible element. */
  anchor: AnchorNow | null
  onClose(): void
  onAnswer(id: string): void
}

/** A single choice: search first, arrows and Enter select. */
export function ChoiceDialog({ question, anchor, onClose, onAnswer }: ChoiceDialogProps) {
  const [text, setText] = useState('')
  // Enter on a choice triggers both the choice and the field around it.
  const isAnswered = useRef(false)
  const answer = (id: string) => {
    if (isAnswered.current) return
    isAnswered.current = true
    onAnswer(id)
  }
  const { groups, left, first } = useMemo(() => matches(question, text), [question, text])
  return (
    <CommandPalette
      isOpen
      anchor={anchor}
      onClose={onClose}
      label={question.title}
      placeholder={question.title}
      text={text}
      onText={setText}
      onEnter={() => {
        if (first === null) return
        onClose()
        answer(first)
      }}
      groups={[
        ...groups.map(({ title, choices }) => ({
          id: title ?? question.key,
          ...(title === null ? {} : { title }),
          entries: choices.map(({ id, label, detail, type }) => ({
            ...{ id, label, onAction: () => answer(id) },
            ...(detail === undefined ? {} : { detail }),
            ...(type === undefined ? {} : { icon: <NodeIcon type={type} /> }),
          })),
        })),
        ...(left > 0
          ? [{ id: 'left', entries: [{ id: 'left', label: words.moreOptions(left), isDisabled: true }] }]
          : []),
      ]}
      empty={question.otherwise ?? words.nothingFound}
    />
  )
}

/** Matches in names come before matches in descriptions. */
function matches({ groups }: Question, text: string) {
  const wanted = text.trim().toLowerCase()
  const has = (value: string | undefined) => value?.toLowerCase().includes(wanted) ?? false
  const listed = groups.filter(({ isSearched }) => !isSearched || wanted !== '')
  const found = listed.map(({ title, choices }) => {
    const named = choices.filter(({ label }) => has(label))
    const others = wanted === '' ? [] : choices.filter(({ label, detail }) => !has(label) && has(detail))
    return { title, choices: [...named, ...others], isNamed: named.length > 0 }
  })
  const sorted = found.toSorted((one, other) => Number(other.isNamed) - Number(one.isNamed))
  let room = MOST
  let left = 0
  const shown = sorted.map(({ title, choices }) => {
    const own = choices.slice(0, room)
    room -= own.length
    left += choices.length - own.length
    return { title, choices: own }
  })
  const kept = shown.filter(({ choices }) => choices.length > 0)
  return { groups: kept, left, first: kept[0]?.choices[0]?.id ?? null }
}
