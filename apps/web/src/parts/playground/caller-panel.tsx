import { CodeField } from '../../atoms/code/code-field.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { Disclosure } from '../../atoms/layout/disclosure.tsx'
import { callerWords as words } from '../../core/messages/en/parts/playground.ts'
import { toolTestWords } from '../../core/messages/en/resources/tool-test.ts'
import styles from './playground.module.css'
import type { CallerFields } from './use-caller-fields.ts'

const LONGEST_USER_ID = 255

export interface CallerPanelProps {
  caller: CallerFields
  isDisabled: boolean
  /** A conversation is under way, and goes on with the user that it began with. */
  hasConversation: boolean
}

/** What a caller's request has beside the message: the user that it is for, and the values that tools read. */
export function CallerPanel({ caller, isDisabled, hasConversation }: CallerPanelProps) {
  const { context, read, userId, body } = caller
  const summary = [
    ...(body.user_id === undefined ? [] : [words.forUser(body.user_id)]),
    ...(body.tool_context === undefined ? [] : [words.keys(Object.keys(body.tool_context).length)]),
  ].join(' · ')
  return (
    <div className={styles.beneath}>
      <Disclosure
        look="section"
        title={words.title}
        summary={read.ok ? summary || (hasConversation ? words.same : words.none) : words.broken}
      >
        <div className={styles.caller}>
          <TextField
            label={words.user}
            description={hasConversation ? words.userFixed : words.userDetail}
            value={userId}
            onChange={caller.onUserId}
            maxLength={LONGEST_USER_ID}
            isReadOnly={isDisabled || hasConversation}
            isMono
          />
          {context !== null && (
            <CodeField
              label={toolTestWords.context}
              description={words.contextDetail}
              language="json"
              value={context}
              onChange={caller.onContext}
              isReadOnly={isDisabled}
              minLines={3}
              maxLines={10}
              error={read.ok ? null : toolTestWords[read.problem]}
            />
          )}
        </div>
      </Disclosure>
    </div>
  )
}
