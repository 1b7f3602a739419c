import { readFileSync } from 'node:fs'

/** A question, and a text in the one passage that answers it. */
export interface LabelledQuestion {
  question: string
  answer: string
}

/** Documents with questions of known answers. */
export interface LabelledSet {
  documents: readonly { name: string; text: string }[]
  questions: readonly LabelledQuestion[]
}

const page = (name: string) => ({
  name,
  text: readFileSync(new URL(`../../playground/handbook/${name}`, import.meta.url), 'utf8'),
})

const asked = (answer: string, ...questions: string[]): LabelledQuestion[] =>
  questions.map((question) => ({ question, answer }))

/** Customers' questions about the handbook of the Playground, verbatim and paraphrased. */
const ABOUT_HANDBOOK = [
  ...asked(
    'within 30 days of delivery',
    'Until when can I send unused goods back?',
    'Does the customer have to keep the invoice?',
    'Which label do I put on the parcel that I return?',
  ),
  ...asked(
    'within 14 days after the parcel',
    'How long does a refund take?',
    'When do I get my money back?',
    'How is a gift card refunded?',
    'After how many days is a refund paid?',
  ),
  ...asked(
    'Made-to-measure frames, opened',
    'Can I return an opened inner tube?',
    'What cannot be returned?',
    'Are express shipping costs refunded?',
    'Is a made-to-measure frame refunded?',
  ),
  ...asked(
    'Orders before 14:00',
    'When does an order leave that I place before 14:00?',
    'Does Lakeside Bikes ship on Saturdays or only on working days?',
  ),
  ...asked(
    '| Norway | 9 euros',
    'What does standard shipping to Norway cost?',
    'How many days does an express parcel to Germany take?',
    'Is express offered to other countries of Europe?',
    'From which order value is standard shipping free?',
    'Is delivery free above 150 euros?',
  ),
  ...asked(
    'a carrier who calls a day before',
    'Who delivers complete bikes?',
    'Does the carrier call before a complete bike is delivered?',
    'Do I have to sign for a complete bike? Is a signature needed?',
  ),
  ...asked(
    'Frames have a warranty of 10 years',
    'How long is the warranty of a frame?',
    'Is the wear of brake pads covered?',
    'What warranty do other parts have?',
    'Are worn tyres and chains covered?',
  ),
  ...asked(
    'The first inspection is free',
    'What does an inspection cost?',
    'Is the first inspection free?',
    'How long does an inspection take in working days?',
  ),
  ...asked(
    'Batteries of e-bikes keep',
    'How much capacity does a battery keep?',
    'May I send a damaged battery by parcel?',
    'After how many charges does an e-bike battery lose capacity?',
    'Who collects damaged batteries?',
  ),
]

const COLOURS = ['Amber', 'Birch', 'Cedar', 'Dusk', 'Ember', 'Fern', 'Granite', 'Harbour', 'Iris', 'Jade']
const BIRDS = ['Heron', 'Kestrel', 'Lapwing', 'Merlin', 'Osprey', 'Plover']

/** A model of a catalogue, whose sheets differ in names and numbers only. */
function sheetOf(name: string, n: number) {
  const text = `# ${name}

## Weight

The ${name} weighs ${8 + (n % 9)}.${n % 10} kilograms without pedals. The frame alone is ${1 + (n % 3)} kilograms of it.

## Price

The ${name} sells for ${600 + n * 37} euros. Dealers order it in lots of ${2 + (n % 5)}.

## Colours

The ${name} comes in ${n % 2 === 0 ? 'black and red' : 'green and white'}, with a matt finish on request.

## Care

Wash the ${name} with warm water, and oil its chain every ${200 + n} kilometres.
`
  return { name: `${name}.md`, text }
}

const QUESTIONS_OF_SHEETS = [
  (name: string) => ({ question: `What does the ${name} weigh?`, answer: `The ${name} weighs` }),
  (name: string) => ({ question: `How many euros does the ${name} sell for?`, answer: `The ${name} sells` }),
  (name: string) => ({ question: `Which colours does the ${name} come in?`, answer: `The ${name} comes` }),
  (name: string) => ({
    question: `How often do I oil the chain of the ${name}?`,
    answer: `Wash the ${name}`,
  }),
  (name: string) => ({ question: `How heavy is the ${name} without pedals?`, answer: `The ${name} weighs` }),
]

const NAMES = COLOURS.flatMap((colour) => BIRDS.map((bird) => `${colour} ${bird}`))

export const HANDBOOK: LabelledSet = {
  documents: ['refunds.md', 'shipping.md', 'workshop.md'].map(page),
  questions: ABOUT_HANDBOOK,
}

export const CATALOGUE: LabelledSet = {
  documents: NAMES.map(sheetOf),
  questions: NAMES.flatMap((name, n) =>
    [n, n + 1].flatMap((at) => QUESTIONS_OF_SHEETS[at % QUESTIONS_OF_SHEETS.length]?.(name) ?? []),
  ),
}
