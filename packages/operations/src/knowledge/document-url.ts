/** The address of a document without its fragment; an error with a message for the field if it is not usable. */
export function documentUrl(text: string): URL | Error {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return new Error('must be an http or https URL')
  }
  if (url.username !== '' || url.password !== '') return new Error('must not contain credentials')
  url.hash = ''
  return url
}
