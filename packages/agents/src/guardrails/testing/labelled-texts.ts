import type { PiiEntity } from '@troupe/contract'

/** A text with the personal data in it, as written. */
export interface LabelledText {
  text: string
  pii: readonly (readonly [PiiEntity, string])[]
}

const only = (entity: PiiEntity, value: string, around: (value: string) => string): LabelledText => ({
  text: around(value),
  pii: [[entity, value]],
})
const none = (text: string): LabelledText => ({ text, pii: [] })

const EMAILS = [
  'ana@example.com',
  'j.doe+news@mail.example.co.uk',
  'FIRST.LAST@EXAMPLE.ORG',
  'o_brien%team@sub.example.io',
  'jürgen@müller-gmbh.de',
  'a@b.museum',
].map((value, index) =>
  only('email', value, (mail) => [`Write to ${mail}.`, `<${mail}>`, `(${mail}), please`][index % 3] ?? mail),
)

const PHONES = [
  '+49 30 901820',
  '+49 (0)89 1234567',
  '+1 415-555-2671',
  '+44 20 7946 0958',
  '+33 1 23 45 67 89',
  '+34612345678',
  '+4915123456789',
  '0049 171 1234567',
  '(415) 555-2671',
  '415-555-2671',
  '415.555.2671',
  '1-800-555-0199',
  '030/9018200',
  '0171 1234567',
  '0151-23456789',
  '06 12 34 56 78',
  '020 7946 0958',
  '+81 3-1234-5678',
  '+55 11 91234-5678',
  '+91 98765 43210',
].map((value, index) =>
  only(
    'phone',
    value,
    (phone) =>
      [`Call ${phone} today.`, `Tel.: ${phone}`, `my number is ${phone}, thanks`][index % 3] ?? phone,
  ),
)

// Numbers without context, which a pattern cannot distinguish from an order number: they are not found.
const BARE_PHONES = ['4155552671', '01711234567', '9018200'].map((value) =>
  only('phone', value, (phone) => `Ring me on ${phone} please`),
)

const CARDS = [
  '4111 1111 1111 1111',
  '4111111111111111',
  '5555-5555-5555-4444',
  '5105105105105100',
  '3782 822463 10005',
  '378282246310005',
  '6011111111111117',
  '3530111333300000',
  '30569309025904',
  '2223003122003222',
].map((value, index) =>
  only(
    'card',
    value,
    (card) => [`Card ${card}, exp 12/29`, `pay with ${card}`, `${card}`][index % 3] ?? card,
  ),
)

const IBANS = [
  'DE89 3704 0044 0532 0130 00',
  'DE89370400440532013000',
  'GB29 NWBK 6016 1331 9268 19',
  'FR1420041010050500013M02606',
  'NL91 ABNA 0417 1643 00',
  'ES9121000418450200051332',
  'CH93 0076 2011 6238 5295 7',
  'at61 1904 3002 3457 3201',
].map((value, index) =>
  only(
    'iban',
    value,
    (iban) => [`IBAN: ${iban}`, `Transfer to ${iban} today`, `(${iban})`][index % 3] ?? iban,
  ),
)

const ADDRESSES = ['203.0.113.9', '198.51.100.23', '2001:db8:85a3::8a2e:370:7334', '2001:db8::1'].map(
  (value, index) => only('ip_address', value, (ip) => [`from ${ip}.`, `host ${ip} failed`][index % 2] ?? ip),
)

const SSNS = ['123-45-6789', '078-05-1120', '219 09 9999'].map((value) =>
  only('us_ssn', value, (ssn) => `SSN ${ssn} on file`),
)

const TAX_IDS = ['86 095 742 719', '86095742719', '65 929 970 489'].map((value) =>
  only('de_tax_id', value, (id) => `Steuer-ID ${id}`),
)

const MIXED: LabelledText[] = [
  {
    text: 'Ana (ana@example.com, +49 30 901820) paid with 4111 1111 1111 1111 from DE89 3704 0044 0532 0130 00.',
    pii: [
      ['email', 'ana@example.com'],
      ['phone', '+49 30 901820'],
      ['card', '4111 1111 1111 1111'],
      ['iban', 'DE89 3704 0044 0532 0130 00'],
    ],
  },
  {
    text: 'Order 12 4111 1111 1111 1111 by bob@example.net at 203.0.113.9:8080',
    pii: [
      ['card', '4111 1111 1111 1111'],
      ['email', 'bob@example.net'],
      ['ip_address', '203.0.113.9'],
    ],
  },
  {
    text: 'Kontakt: Frau Müller, Tel. 030/9018200, mail: k.mueller@stadt.example.de, SSN 123-45-6789',
    pii: [
      ['phone', '030/9018200'],
      ['email', 'k.mueller@stadt.example.de'],
      ['us_ssn', '123-45-6789'],
    ],
  },
]

/** Texts that look like personal data but contain none. */
const CLEAN: LabelledText[] = [
  'The meeting is on 2026-11-22 at 14:30, room 3.12.',
  'Version 1.2.3.4 replaces 10.0.1.',
  'Order 4111 1111 1111 1112 does not pass the check.',
  'Invoice 2026-000123 over 1.234.567,89 EUR.',
  'Your tracking number is 00340434161094042557.',
  'ISBN 978-3-16-148410-0 is a book.',
  'Call me at 5 or 6, table for 12, 2 x 3 m.',
  'The price rose from 100 200 to 300 400 in 2025.',
  'Use @mentions and a@b for short.',
  'IBAN DE00 3704 0044 0532 0130 00 has a wrong checksum.',
  'SSN 000-12-3456 was never issued, nor 666-12-3456.',
  'localhost is 127.0.0.1 or ::1.',
  'The hash is 3b5d5c3712955042212316173ccf37be.',
  'Id 3f0c1c7e-6a0e-4b7e-9d5a-0a6f4b1c2d3e was deleted.',
  'Scores: 12-10, 9-11, 11-7.',
  'Coordinates 52.5200, 13.4050.',
  'Line 120, column 45, 3000 tests in 5 min 12 s.',
  'ZIP 94103-1234 and PO box 4471.',
  'Timestamp 1763800000 and 1763800000123.',
  'Die Summe beträgt 12 345 678 Euro.',
  'The ratio 1/2/3 and 10/11/2026 are dates or fractions.',
  'Steuer-ID 12 345 678 901 fails its check.',
  'Bundesliga 2025/26: 34 Spieltage, 306 Spiele.',
  'npm i foo@1.2.3 installs foo.',
  'git@ is a user, user@host is a login without a domain.',
  'Gate B12, seat 34A, flight LH 4711 at 06:15.',
  'Chapter 0, section 1.2, page 100 - 120.',
  'Model 555-2671 is sold out.',
  'Room 12-34-56 is next to 78.',
  '0800 is the time, 2359 the end.',
].map(none)

/** The data set on which the rule `pii` is measured. */
export const LABELLED_TEXTS: readonly LabelledText[] = [
  ...EMAILS,
  ...PHONES,
  ...BARE_PHONES,
  ...CARDS,
  ...IBANS,
  ...ADDRESSES,
  ...SSNS,
  ...TAX_IDS,
  ...MIXED,
  ...CLEAN,
]
