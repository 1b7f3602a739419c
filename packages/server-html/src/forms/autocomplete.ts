import type { CompleteFormField } from '@troupe/nodes/form'

/** Common names of fields that browsers can autofill (WCAG 1.3.5), in lower case without separators. */
const PURPOSES: Readonly<Record<string, string>> = {
  name: 'name',
  fullname: 'name',
  yourname: 'name',
  firstname: 'given-name',
  givenname: 'given-name',
  lastname: 'family-name',
  surname: 'family-name',
  familyname: 'family-name',
  phone: 'tel',
  phonenumber: 'tel',
  telephone: 'tel',
  mobile: 'tel',
  company: 'organization',
  organization: 'organization',
  organisation: 'organization',
  jobtitle: 'organization-title',
  street: 'street-address',
  address: 'street-address',
  city: 'address-level2',
  town: 'address-level2',
  zip: 'postal-code',
  zipcode: 'postal-code',
  postcode: 'postal-code',
  postalcode: 'postal-code',
  country: 'country-name',
  website: 'url',
  birthday: 'bday',
  dateofbirth: 'bday',
}

/** The `autocomplete` token of a field; null when its purpose is unknown. */
export function autocompleteOf({ type, name, label }: CompleteFormField): string | null {
  if (type === 'email') return 'email'
  if (type === 'password') return 'new-password'
  if (type !== 'text' && type !== 'textarea' && type !== 'date') return null
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
  for (const text of [plain(name), plain(label)]) {
    if (Object.hasOwn(PURPOSES, text)) return PURPOSES[text] ?? null
  }
  return null
}
