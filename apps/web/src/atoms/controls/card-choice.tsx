import { RadioGroup as AriaRadioGroup, Radio } from 'react-aria-components'
import styles from './card-choice.module.css'
import fieldStyles from './field.module.css'
import { FieldLabel, FieldNotes, type FieldWords } from './field-parts.tsx'
import type { Option } from './option-list.tsx'

export interface CardChoiceProps<Id extends string> extends FieldWords {
  /** Each with a picture as its `icon` and a sentence as its `detail`. */
  options: readonly Option<Id>[]
  value: Id | null
  onChange(value: NoInfer<Id>): void
  isReadOnly?: boolean
}

/** One of a few very different options, each with an image. */
export function CardChoice<Id extends string>(props: CardChoiceProps<Id>) {
  const { label, description, error, isLabelHidden, options, onChange, ...field } = props
  return (
    <AriaRadioGroup
      {...field}
      {...(isLabelHidden ? { 'aria-label': label } : {})}
      onChange={(key) => {
        const chosen = options.find(({ id }) => id === key)
        if (chosen) onChange(chosen.id)
      }}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      className={fieldStyles.field ?? ''}
    >
      {!isLabelHidden && <FieldLabel label={label} />}
      <div className={styles.cards} data-count={options.length}>
        {options.map(({ id, label: text, detail, icon, isDisabled = false }) => (
          <Radio key={id} value={id} isDisabled={isDisabled} className={styles.card ?? ''}>
            <span className={styles.picture}>{icon}</span>
            <span className={styles.words}>
              <span className={styles.name}>{text}</span>
              {detail && <span className={styles.detail}>{detail}</span>}
            </span>
          </Radio>
        ))}
      </div>
      <FieldNotes description={description} error={error} />
    </AriaRadioGroup>
  )
}
