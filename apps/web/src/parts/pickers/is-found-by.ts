/** Whether a text matches a resource, as in the server's search: it is part of the name, or the start of the id. */
export function isFoundBy(text: string, id: string, name: string): boolean {
  const wanted = text.toLowerCase()
  return name.toLowerCase().includes(wanted) || id.toLowerCase().startsWith(wanted)
}
