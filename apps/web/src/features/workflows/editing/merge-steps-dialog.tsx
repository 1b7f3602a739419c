import type { BuilderWorkflow } from '@troupe/contract/builder'
import type { StepConflict } from '@troupe/editor/merge/rebase'
import { isSameJson } from '@troupe/editor/values/json-path'
import { useState } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { Checkbox } from '../../../atoms/controls/toggles.tsx'
import { Section } from '../../../atoms/layout/page.tsx'
import { Dialog } from '../../../atoms/overlays/dialog.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { unsavedDialogWords } from '../../../core/messages/en/agents/unsaved-dialogs.ts'
import { commandWords } from '../../../core/messages/en/workflows/canvas.ts'
import { mergeWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { decisionOf, type MergeAnswer, StepChoice } from './step-choice.tsx'
import { useDraftSession } from './use-draft-session.ts'

const MINE: MergeAnswer = { kind: 'mine' }

/** Steps changed by two users: the value of each setting is theirs, mine, a third one, or a copy of the whole step. */
export function MergeStepsDialog({ workflow, onClose }: { workflow: BuilderWorkflow; onClose(): void }) {
  const session = useDraftSession(workflow)
  const { conflicts } = session.editor.sync
  const steps = Map.groupBy(conflicts, ({ nodeId }) => nodeId)
  const who = session.saved?.author?.changedBy.name ?? null
  const { answerOf, answer } = useAnswers()
  const [copies, setCopies] = useState<ReadonlySet<string>>(new Set())
  const [refusal, setRefusal] = useState<string | null>(null)
  const isCopied = (nodeId: string) => copies.has(nodeId) && canBeCopied(steps.get(nodeId) ?? [])
  const decisions = conflicts.map(
    (conflict) =>
      [conflict.id, isCopied(conflict.nodeId) ? 'theirs' : decisionOf(conflict, answerOf(conflict))] as const,
  )
  const decide = () => {
    const choices = new Map(
      decisions.flatMap(([id, decision]) => (decision === null ? [] : [[id, decision]])),
    )
    const copied = [...steps.keys()].filter(isCopied)
    const outcome = session.act((editor, at) =>
      editor.decide({ choices, copies: copied }, { label: words.gesture, at }),
    )
    if (!outcome.ok) return setRefusal(commandWords.refusals[outcome.reason])
    session.flush()
    onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.title(who)}
      width="wide"
      isDismissable={false}
      actions={
        <>
          <Button emphasis="quiet" onPress={onClose}>
            {unsavedDialogWords.later}
          </Button>
          <Button
            emphasis="primary"
            onPress={decide}
            isDisabled={decisions.some(([, decision]) => decision === null)}
          >
            {words.decide}
          </Button>
        </>
      }
    >
      <p>{words.text}</p>
      {refusal !== null && <Callout tone="bad">{words.notDecided(refusal)}</Callout>}
      {[...steps].map(([nodeId, ofStep]) => (
        <Section key={nodeId} title={ofStep[0]?.nodeName ?? nodeId}>
          {ofStep.map((conflict) => (
            <StepChoice
              key={conflict.id}
              conflict={conflict}
              who={who}
              answer={answerOf(conflict)}
              onChange={(chosen) => answer(conflict, chosen)}
              isCopied={isCopied(nodeId)}
            />
          ))}
          {canBeCopied(ofStep) && (
            <Checkbox
              isSelected={isCopied(nodeId)}
              onChange={(isChosen) => {
                const others = [...copies].filter((id) => id !== nodeId)
                setCopies(new Set(isChosen ? [...others, nodeId] : others))
              }}
              description={words.copyDetail}
            >
              {words.copy}
            </Checkbox>
          )}
        </Section>
      ))}
    </Dialog>
  )
}

/** A step that exists on both sides can be duplicated. */
const canBeCopied = (ofStep: readonly StepConflict[]) => ofStep.every(({ kind }) => kind === 'setting')

/** Answers for the displayed values: when others save another value, the conflict is open again. */
function useAnswers() {
  const [answers, setAnswers] = useState<ReadonlyMap<string, { answer: MergeAnswer; of: StepConflict }>>(
    new Map(),
  )
  const answerOf = (conflict: StepConflict): MergeAnswer => {
    const known = answers.get(conflict.id)
    const isOfThese = known && isSameJson(valuesOf(known.of), valuesOf(conflict))
    return isOfThese ? known.answer : MINE
  }
  const answer = (of: StepConflict, chosen: MergeAnswer) =>
    setAnswers((before) => new Map(before).set(of.id, { answer: chosen, of }))
  return { answerOf, answer }
}

const valuesOf = ({ setting, theirs }: StepConflict) => [
  setting?.mine,
  setting?.theirs,
  setting ? null : theirs,
]
