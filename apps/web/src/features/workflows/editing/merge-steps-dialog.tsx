import type { BuilderWorkflow } from '@troupe/contract/builder'
import type { StepConflict } from '@troupe/editor/merge/rebase'
import type { MergeChoice } from '@troupe/editor/values/merge-contents'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { useState } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { RadioGroup } from '../../../atoms/controls/choices.tsx'
import { Section } from '../../../atoms/layout/page.tsx'
import { Dialog } from '../../../atoms/overlays/dialog.tsx'
import type { SettingWords } from '../../../core/forms/setting-words.ts'
import { conflictLabel } from '../../../core/labels/change-label.ts'
import { unsavedWords } from '../../../core/messages/en/agents/unsaved.ts'
import { mergeWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { stepPlace, titleOf } from '../../../core/workflows/findings.ts'
import { ConflictChoice, useMergeChoices } from '../../../parts/unsaved/conflict-choice.tsx'
import { useDraftSession } from './use-draft-session.ts'

/** Steps that two people changed: whose value each setting gets. */
export function MergeStepsDialog({ workflow, onClose }: { workflow: BuilderWorkflow; onClose(): void }) {
  const session = useDraftSession(workflow)
  const { conflicts } = session.editor.sync
  const steps = Map.groupBy(conflicts, ({ nodeId }) => nodeId)
  const who = session.saved?.author?.changedBy.name ?? null
  const { choices, choose } = useMergeChoices(conflicts.flatMap(ofSetting))
  const [whole, setWhole] = useState<ReadonlyMap<string, MergeChoice>>(new Map())
  const decide = () => {
    const decided = conflicts.map(
      ({ id, kind }) =>
        [id, (kind === 'setting' ? choices[id] : whole.get(id)) ?? 'mine'] satisfies [string, MergeChoice],
    )
    session.act((editor, at) => editor.decide(new Map(decided), { label: words.gesture, at }))
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
          <Button onPress={onClose}>{unsavedWords.later}</Button>
          <Button emphasis="primary" onPress={decide}>
            {words.decide}
          </Button>
        </>
      }
    >
      <p>{words.text}</p>
      {[...steps].map(([nodeId, ofStep]) => (
        <Section key={nodeId} title={ofStep[0]?.nodeName ?? nodeId}>
          {ofStep.map((conflict) => (
            <StepChoice
              key={conflict.id}
              conflict={conflict}
              who={who}
              value={(conflict.kind === 'setting' ? choices[conflict.id] : whole.get(conflict.id)) ?? 'mine'}
              onChange={(choice) => {
                const [setting] = ofSetting(conflict)
                if (setting) choose(setting, choice)
                else setWhole((before) => new Map(before).set(conflict.id, choice))
              }}
            />
          ))}
        </Section>
      ))}
    </Dialog>
  )
}

/** The setting with the id of its conflict, which names the step, too. */
function ofSetting({ id, setting }: StepConflict) {
  return setting === null ? [] : [{ ...setting, id }]
}

interface StepChoiceProps {
  conflict: StepConflict
  who: string | null
  value: MergeChoice
  onChange(choice: MergeChoice): void
}

function StepChoice({ conflict, who, value, onChange }: StepChoiceProps) {
  const { kind, nodeName, base, theirs } = conflict
  if (kind !== 'setting') {
    return (
      <>
        <p>{words.removed[kind]}</p>
        <RadioGroup
          label={words.what(nodeName)}
          value={value}
          onChange={onChange}
          options={[
            { id: 'mine', label: words.keep[kind] },
            { id: 'theirs', label: words.give[kind] },
          ]}
        />
      </>
    )
  }
  const schema = NODE_TYPES.get((theirs ?? base)?.type ?? '')?.schema ?? {}
  const labelOf = (path: string) => titleOf(stepPlace(schema, path)) ?? path.replace(/^config\./, '')
  const wordsOf = (path: string): SettingWords => ({ label: labelOf(path) })
  return ofSetting(conflict).map((setting) => (
    <ConflictChoice
      key={setting.id}
      setting={setting}
      label={conflictLabel(setting, labelOf)}
      who={who}
      wordsOf={wordsOf}
      value={value}
      onChange={onChange}
    />
  ))
}
