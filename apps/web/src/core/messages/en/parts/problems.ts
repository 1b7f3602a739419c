/** The API's messages about settings, in the words of the page. */
export const problemWords: Readonly<Record<string, string>> = {
  'is required when mode is json_schema': 'Enter the answer schema, or choose text',
  'must have at least 2 members when the lead is managed': 'A lead of its own needs at least 2 members',
  'must be null in every mode but handoff': 'Remove it: only the mode Handoff uses it',
  'must not be empty': 'Is required',
  'must be given, unless there is a document': 'Enter the address of the document, or the document itself',
  'must be given, unless there is a url': 'Choose a server',
  'is required: web_search needs a credential': 'Choose the credential of a search provider',
  'must be blocking: a model beside the rule would see the text':
    'Choose “Before the next step”: a model beside the rule would see the text',
}

/** The same for messages that name a part of the settings. */
export const problemPatterns: readonly (readonly [RegExp, (name: string) => string])[] = [
  [/^names (\{.+\}), which is not a property of input_schema$/, (name) => `${name} is not in “Arguments”`],
  [
    /^names context\.(.+), which is not in context_keys$/,
    (key) => `{{ context.${key} }} is not in “Values from the caller”, which is in “Limits and more”`,
  ],
  [
    /^must be block or flag: (\w+) finds no part of a text to redact$/,
    () => 'Choose Block or Flag: this kind of rule finds no part of a text to redact',
  ],
]

/** Several faults of one setting; a part of it is named by its key. */
export const problemPart = (key: string, problem: string) => `${key}: ${problem}`
