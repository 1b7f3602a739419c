/**
 * The script of the API reference: search, the highlighted section, the language of examples, and requests with the
 * reader's key.
 */

const SHOWN_BYTES = 256 * 1024
const LANGUAGE = 'troupe-docs-language'
const isNarrow = matchMedia('(max-width: 48rem)')

document.documentElement.classList.add('has-script')
foldOnPhones()
searchIn(document.querySelector('#navigation'))
markSectionInView()
chooseLanguage()
for (const button of document.querySelectorAll('.copy')) button.addEventListener('click', () => copy(button))
for (const form of document.querySelectorAll('.try form')) answerSubmits(form)

/** On phones, the parts of an operation are collapsed. */
function foldOnPhones() {
  if (!isNarrow.matches) return
  for (const part of document.querySelectorAll('details.part')) part.open = false
}

function searchIn(navigation) {
  const field = navigation.querySelector('#search')
  const none = navigation.querySelector('.none')
  const groups = [...navigation.querySelectorAll('.group')]
  const links = () => [...navigation.querySelectorAll('.group a')].filter((link) => link.checkVisibility())
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
    let found = 0
    for (const group of groups) {
      const list = group.querySelector('ul')
      const isNamed = words.every((word) => group.firstElementChild.textContent.toLowerCase().includes(word))
      let below = 0
      for (const item of list?.children ?? []) {
        item.hidden = !isNamed && !words.every((word) => item.dataset.words.includes(word))
        if (!item.hidden) below += 1
      }
      if (list) list.hidden = words.length === 0 ? !list.classList.contains('current') : below === 0
      group.hidden = !isNamed && below === 0
      found += group.hidden ? 0 : 1
    }
    none.textContent = found === 0 ? `Nothing is named “${field.value.trim()}”.` : ''
  })
  field.addEventListener('keydown', (event) => {
    if (event.isComposing) return
    // The first matching operation, else the first matching page.
    const first = links().find((link) => link.closest('li')) ?? links()[0]
    if (event.key === 'Enter' && field.value.trim() !== '') first?.click()
    if (event.key === 'ArrowDown') first?.focus()
    if (event.key === 'Enter' || event.key === 'ArrowDown') event.preventDefault()
  })
  navigation.addEventListener('keydown', (event) => {
    if (event.target === field || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return
    const all = links()
    const next = all[all.indexOf(event.target) + (event.key === 'ArrowDown' ? 1 : -1)]
    event.preventDefault()
    if (next) next.focus()
    else if (event.key === 'ArrowUp') field.focus()
  })
  navigation.addEventListener('click', (event) => {
    if (event.target.closest('a') && navigation.matches(':popover-open')) navigation.hidePopover()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input, textarea, select')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    if (isNarrow.matches) navigation.showPopover()
    field.focus()
  })
}

/** The link to the last section whose head has passed the upper third of the window. */
function markSectionInView() {
  const links = new Map(
    [...document.querySelectorAll('#navigation ul.current a')].map((link) => [link.hash.slice(1), link]),
  )
  const sections = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean)
  if (sections.length === 0) return
  let marked = null
  const mark = () => {
    const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2
    const passed = sections.filter((one) => one.getBoundingClientRect().top < innerHeight / 3)
    const section = isAtEnd && scrollY > 0 ? sections.at(-1) : (passed.at(-1) ?? sections[0])
    const link = links.get(section.id)
    if (link === marked) return
    marked?.removeAttribute('aria-current')
    link.setAttribute('aria-current', 'location')
    marked = link
    if (!isNarrow.matches) link.scrollIntoView({ block: 'nearest' })
  }
  let asked = 0
  addEventListener(
    'scroll',
    () => {
      cancelAnimationFrame(asked)
      asked = requestAnimationFrame(mark)
    },
    { passive: true },
  )
  mark()
}

/** Shows every example in the last chosen language. */
function chooseLanguage() {
  const show = (language) => {
    for (const radio of document.querySelectorAll(`input[name^="language-"][value="${language}"]`)) {
      radio.checked = true
    }
  }
  const kept = readKept()
  if (['curl', 'typescript', 'python'].includes(kept)) show(kept)
  document.addEventListener('change', ({ target }) => {
    if (!target.name?.startsWith('language-')) return
    // Examples above may change their height: the clicked button keeps its position.
    const before = target.getBoundingClientRect().top
    show(target.value)
    scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' })
    try {
      localStorage.setItem(LANGUAGE, target.value)
    } catch {
      // Storage is blocked: the choice lasts until the page closes.
    }
  })
}

function readKept() {
  try {
    return localStorage.getItem(LANGUAGE)
  } catch {
    return null
  }
}

async function copy(button) {
  const example = button.closest('.code')
  const shown = [...example.querySelectorAll('pre')].find((one) => one.checkVisibility())
  let word = 'Copied'
  try {
    await navigator.clipboard.writeText(shown.textContent)
  } catch {
    getSelection().selectAllChildren(shown)
    word = 'Press Ctrl+C'
  }
  button.textContent = word
  setTimeout(() => {
    button.textContent = 'Copy'
  }, 1_500)
}

function answerSubmits(form) {
  const stop = form.querySelector('.stop')
  const send = form.querySelector('[type="submit"]')
  let abort = null
  stop.addEventListener('click', () => abort?.abort())
  const key = form.querySelector('[data-place="key"]')
  key?.addEventListener('change', () => {
    for (const other of document.querySelectorAll('[data-place="key"]')) other.value = key.value
  })
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (abort) return
    abort = new AbortController()
    stop.hidden = false
    send.disabled = true
    try {
      await sendRequest(form, abort.signal)
    } finally {
      abort = null
      stop.hidden = true
      send.disabled = false
    }
  })
}

/** Sends the request entered in a form, and shows the response while it arrives. */
async function sendRequest(form, signal) {
  const panel = form.parentElement.querySelector('.sent')
  const status = panel.querySelector('[role="status"]')
  const output = panel.querySelector('code')
  panel.hidden = false
  output.textContent = ''
  const request = requestOf(form)
  if (request.fault) {
    status.textContent = request.fault
    return
  }
  status.textContent = 'Sending'
  const started = performance.now()
  try {
    const response = await fetch(request.url, { ...request.options, signal })
    const took = () =>
      `${response.status} ${response.statusText} · ${Math.round(performance.now() - started)} ms`
    status.textContent = took()
    const isCut = await readInto(output, response)
    status.textContent = isCut ? `${took()} · the first 256 KB are shown` : took()
    indent(output, response)
  } catch (error) {
    status.textContent = signal.aborted ? 'Stopped' : `The request failed: ${error.message}`
  }
}

function requestOf(form) {
  const { method, credential, timed } = form.dataset
  const headers = {}
  const query = new URLSearchParams()
  let path = form.dataset.path
  let body
  for (const field of form.querySelectorAll('[data-place]')) {
    const { place } = field.dataset
    const value = place === 'body' ? field.value : field.value.trim()
    if (place === 'key' && credential === 'bearerKey') headers.authorization = `Bearer ${value}`
    else if (place === 'key') headers['x-api-key'] = value
    else if (place === 'body') body = value
    else if (value === '') continue
    else if (place === 'path' && (value === '.' || value === '..')) {
      return { fault: `${field.name} must not be “${value}”.` }
    } else if (place === 'path') path = path.replace(`{${field.name}}`, () => encodeURIComponent(value))
    else if (place === 'query') query.append(field.name, value)
    else headers[field.name] = value
  }
  if (body !== undefined) {
    const fault = jsonFault(body)
    if (fault) return { fault: `The body is not JSON: ${fault}` }
    headers['content-type'] = 'application/json'
  }
  if (timed !== undefined) headers['x-service-timestamp'] = String(Math.floor(Date.now() / 1000))
  const search = query.size === 0 ? '' : `?${query}`
  // Without cookies, the response is the one that a program with this key gets.
  return {
    url: `${path}${search}`,
    options: { method, headers, body, credentials: 'omit', cache: 'no-store' },
  }
}

function jsonFault(text) {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return error.message
  }
}

/** Shows a response body while it arrives. Returns whether the body was truncated. */
async function readInto(output, response) {
  if (!response.body) return false
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return false
    bytes += value.length
    if (bytes > SHOWN_BYTES) {
      output.append(decoder.decode(value.subarray(0, value.length - (bytes - SHOWN_BYTES))))
      await reader.cancel()
      return true
    }
    output.append(decoder.decode(value, { stream: true }))
  }
}

/** Indents JSON without changing any number. In a browser without `JSON.rawJSON`, the text is unchanged. */
function indent(output, response) {
  if (!response.headers.get('content-type')?.startsWith('application/json')) return
  try {
    const asWritten = (_key, value, { source }) => (typeof value === 'number' ? JSON.rawJSON(source) : value)
    output.textContent = JSON.stringify(JSON.parse(output.textContent, asWritten), null, 2)
  } catch {
    // Truncated JSON is invalid and shown unchanged.
  }
}
