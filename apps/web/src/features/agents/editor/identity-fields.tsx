import { TextArea, TextField } from '../../../atoms/controls/text-field.tsx'
import { compactNumber, wholeNumber } from '../../../core/format/numbers.ts'
import { agentSectionWords as words } from '../../../core/messages/en/agents/agent-sections.ts'
import { type ConfigForm, textAt } from '../../../parts/config-form/config-form.ts'
import { AboutFrame, SettingFrame } from '../../../parts/config-form/setting-frame.tsx'
import { InstructionsField } from '../../../parts/instructions/instructions-field.tsx'
import type { ConfigDraft } from '../../../parts/unsaved/use-config-draft.ts'
import styles from './editor.module.css'
import { PromptAdditions } from './prompt-additions.tsx'
import { estimatedTokens } from './prompt-shares.ts'

/** The name and description of the agent. */
export function IdentityFields({ draft, isReadOnly }: { draft: ConfigDraft; isReadOnly: boolean }) {
  const { name, description } = draft.draft
  return (
    <>
      <AboutFrame draft={draft} path="name">
        <TextField
          label={words.name}
          value={name}
          onChange={(text) => draft.change('name', text)}
          error={draft.errorAt('name')}
          maxLength={128}
          isRequired
          isReadOnly={isReadOnly}
        />
      </AboutFrame>
      <AboutFrame draft={draft} path="description">
        <TextArea
          label={words.description}
          description={words.descriptionHelp}
          value={description ?? ''}
          onChange={(text) => draft.change('description', text === '' ? null : text)}
          error={draft.errorAt('description')}
          maxLength={10_000}
          rows={2}
          isReadOnly={isReadOnly}
        />
      </AboutFrame>
    </>
  )
}

/** The instructions with their length, and the platform's additions. */
export function InstructionsFields({ form, context }: { form: ConfigForm; context: number | null }) {
  const text = textAt(form, 'instructions')
  const tokens = wholeNumber(estimatedTokens(text))
  return (
    <>
      <SettingFrame form={form} path="instructions">
        <InstructionsField
          label={words.instructions}
          isLabelHidden
          value={text}
          onChange={(next) => form.set('instructions', next)}
          placeholder={words.instructionsPlaceholder}
          error={form.errorAt('instructions')}
          isReadOnly={form.isReadOnly}
          minLines={8}
          maxLines={30}
        />
        <div className={styles.foot}>
          <span>
            {context === null ? words.tokens(tokens) : words.ofContext(tokens, compactNumber(context))}
          </span>
        </div>
      </SettingFrame>
      <PromptAdditions form={form} />
    </>
  )
}
