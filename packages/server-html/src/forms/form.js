/** Uploads files and submits the form without leaving the page. Only files require this script. */

const STATUS_TEXTS = {
  413: 'The answers are larger than 1 MB together.',
  429: 'Too many requests. Please wait a moment, and send the form again.',
}

/** Uploads in progress. */
const pending = new Set()

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}

function hidden(name, value) {
  return element('input', { type: 'hidden', name, value })
}

function megabytes(bytes) {
  return `${Math.round((bytes / 1024 / 1024) * 10) / 10} MB`
}

/** The reason for refusing a file before its upload; null when it is accepted. */
function refusal(file, { maxBytes, accept }) {
  const accepted = accept
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== '')
  const name = file.name.toLowerCase()
  if (accepted.length > 0 && !accepted.some((one) => name.endsWith(one))) {
    return `only ${accepted.join(', ')} is accepted here`
  }
  return file.size > Number(maxBytes) ? `a file may have at most ${megabytes(Number(maxBytes))}` : null
}

function prepareUploads(container, api) {
  const input = container.querySelector('input[type=file]')
  const list = container.querySelector('.uploads')
  const status = container.querySelector('[data-upload-status]')
  const { name, maxFiles } = container.dataset
  container.hidden = false
  container.parentElement.querySelector('[data-without-script]').remove()
  const say = (text) => {
    status.textContent = text
  }

  const addRemove = (item, filename) => {
    const remove = element('button', { type: 'button', className: 'quiet', textContent: 'Remove' })
    remove.setAttribute('aria-label', `Remove ${filename}`)
    remove.addEventListener('click', () => {
      item.remove()
      say(`${filename} was removed.`)
      input.focus()
    })
    item.append(remove)
  }

  const send = (file) => {
    const label = element('span', { textContent: file.name })
    const bar = element('progress', { max: 100, value: 0 })
    bar.setAttribute('aria-label', `Upload of ${file.name}`)
    const note = element('span', { className: 'fault' })
    const item = element('li', {}, label, bar)
    list.append(item)

    const fail = (reason, canRetry) => {
      pending.delete(item)
      bar.remove()
      note.textContent = `Not uploaded: ${reason}.`
      item.append(note)
      say(`${file.name} was not uploaded: ${reason}.`)
      if (canRetry) {
        const retry = element('button', { type: 'button', className: 'quiet', textContent: 'Try again' })
        retry.addEventListener('click', () => {
          item.remove()
          send(file)
        })
        item.append(retry)
      }
      addRemove(item, file.name)
    }

    const reason = refusal(file, container.dataset)
    if (reason !== null) return fail(reason, false)

    pending.add(item)
    say(`Uploading ${file.name}.`)
    const body = new FormData()
    body.append('file', file)
    const request = new XMLHttpRequest()
    let told = 0
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      bar.value = Math.round((loaded / total) * 100)
      // Announced in quarters only, for screen readers.
      if (bar.value >= told + 25 && bar.value < 100) {
        told = bar.value
        say(`${file.name}: ${bar.value} percent.`)
      }
    })
    request.addEventListener('load', () => {
      let answer = {}
      try {
        answer = JSON.parse(request.responseText)
      } catch {
        // The response may be a proxy's, so only its status is used.
      }
      if (request.status !== 201) {
        const text = STATUS_TEXTS[request.status] ?? answer.message ?? 'the server did not take it'
        return fail(text.replace(/\.$/, ''), request.status !== 422)
      }
      pending.delete(item)
      bar.remove()
      item.append(hidden(name, answer.fileId), hidden(`form.file.${answer.fileId}`, answer.filename))
      addRemove(item, file.name)
      say(`${file.name} was uploaded.`)
    })
    request.addEventListener('error', () => fail('there is no connection', true))
    request.open('POST', `${api}/upload?field=${encodeURIComponent(name)}`)
    request.send(body)
  }

  for (const item of list.children) addRemove(item, item.querySelector('span').textContent)
  input.addEventListener('change', () => {
    const files = [...input.files]
    // With a limit of one file, a new choice replaces the previous one.
    if (Number(maxFiles) === 1) list.replaceChildren()
    const room = Number(maxFiles) - list.children.length
    for (const file of files.slice(0, room)) send(file)
    if (files.length > room) say(`At most ${maxFiles} files can be sent; the others were left out.`)
    input.value = ''
  })
}

/**
 * The form's properties are shadowed by fields of the same name: `form.action` may be an input named
 * `action`. Form members are therefore read only through here, and everything else through `main`, which no
 * field can shadow.
 */
function attributeOf(form, name) {
  return Element.prototype.getAttribute.call(form, name)
}

/** Shows an error above the form and keeps its answers. */
function showNotice(main, text) {
  document.querySelector('#faults')?.remove()
  const notice = element(
    'div',
    { id: 'faults', className: 'faults', tabIndex: -1 },
    element('h2', { textContent: 'Not sent' }),
    element('p', { textContent: text }),
  )
  notice.setAttribute('role', 'alert')
  main.prepend(notice)
  notice.focus()
}

async function send(main, form) {
  const response = await fetch(attributeOf(form, 'action'), {
    method: 'POST',
    body: new URLSearchParams(new FormData(form)),
    headers: { 'x-form-script': '1' },
  })
  if (response.headers.get('content-type')?.startsWith('application/json')) {
    const { location } = await response.json()
    window.location.assign(location)
    return true
  }
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  if (page.querySelector('[data-form]')) {
    main.replaceWith(page.querySelector('main'))
    document.title = page.title
    start()
    document.querySelector('#faults')?.focus()
  } else {
    const text =
      response.status === 401
        ? 'You are not signed in any more. Sign in on another tab, then send the form again.'
        : null
    showNotice(
      main,
      text ?? STATUS_TEXTS[response.status] ?? page.querySelector('main')?.innerText ?? 'Please try again.',
    )
  }
  return false
}

function start() {
  const main = document.querySelector('main')
  const form = main.querySelector('[data-form]')
  if (!form) return
  const api = attributeOf(form, 'data-api')
  for (const container of main.querySelectorAll('[data-upload]')) prepareUploads(container, api)
  const button = main.querySelector('[data-form] button[type=submit]')
  main.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (button.getAttribute('aria-disabled') === 'true') return
    if (pending.size > 0)
      return showNotice(main, 'Some files are still on their way. Please wait until they are uploaded.')
    // Without this, the form would be submitted without files that the visitor has selected.
    if (main.querySelector('.uploads .fault'))
      return showNotice(main, 'Some files were not uploaded. Try again or remove them, then send the form.')
    // Not `disabled`: the button would lose the focus.
    button.setAttribute('aria-disabled', 'true')
    try {
      if (await send(main, form)) return
    } catch {
      showNotice(main, 'There is no connection. Your answers are still here: please send the form again.')
    }
    button.removeAttribute('aria-disabled')
  })
}

start()
