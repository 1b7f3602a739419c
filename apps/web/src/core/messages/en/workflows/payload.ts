/** Texts of the payload of a test or a run. */
export const payloadWords = {
  label: 'Payload',
  detail: 'The value of {{ trigger }}.',
  notJson: 'This is not valid JSON.',
  view: 'How the payload is edited',
  views: { fields: 'Fields', json: 'JSON' },
  onlyJson: 'This payload has no place for the fields of the trigger, so it is edited as JSON.',
  types: {
    string: 'Text',
    number: 'Number',
    boolean: 'True or false',
    object: 'Object',
    text: 'One line of text',
    textarea: 'Several lines of text',
    email: 'E-mail address',
    password: 'Password',
    date: 'Date',
    dropdown: 'One of a drop-down list',
    radio: 'One of several buttons',
    checkboxes: 'Any of several boxes',
    file: 'File',
    hidden: 'Hidden field',
  } as Readonly<Record<string, string>>,
  fieldDetail: (name: string, type: string) => `${name}: ${type}`,
  none: 'No value',
  choices: { true: 'True', false: 'False' },
  other: 'Other values',
  otherDetail: 'Values that no field of the trigger declares.',
  haveFields: (names: readonly string[]) =>
    names.length === 1
      ? `${names[0]} has a field of its own.`
      : `${names.join(', ')} have fields of their own.`,
  faulty: (labels: readonly string[]) => `Correct these fields first: ${labels.join(', ')}.`,
} as const
