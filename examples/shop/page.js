const element = (id) => document.getElementById(id)
const POLL_MS = 700

/** Lovelace, decimal text, as ada. */
function inAda(lovelace) {
  const digits = lovelace.padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '') + ' ada'
}

async function call(path, body) {
  const options = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(path, body === undefined ? {} : options)
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error)
  return answer
}

/** Runs what a person has asked for, and says why it failed. */
async function attempt(action) {
  element('error').textContent = ''
  try {
    await action()
  } catch (error) {
    element('error').textContent = error.message
  }
}

let shown = null

function show({ id, uri, paid, received, missing, refunds }) {
  shown = id
  element('order').hidden = false
  element('uri').textContent = uri
  const refunded = refunds.map(({ lovelace, txId }) => `${inAda(lovelace)} ${txId === null ? 'go' : 'went'} back.`)
  const state = paid ? `Paid: ${inAda(received)}.` : `${inAda(missing)} to pay.`
  element('state').textContent = [state, ...refunded].join(' ')
  element('pay').disabled = paid
}

setInterval(() => {
  if (shown !== null) void attempt(async () => show(await call(`/orders/${shown}`)))
}, POLL_MS)

element('pay').onclick = () => attempt(async () => show(await call(`/orders/${shown}/pay`, {})))

await attempt(async () => {
  const { goods, local } = await call('/goods')
  element('pay').hidden = !local
  for (const { id, name, price } of goods) {
    const row = document.createElement('li')
    const button = document.createElement('button')
    row.append(`${name}, ${inAda(price)}`, button)
    button.textContent = 'Buy'
    button.setAttribute('aria-label', `Buy ${name}`)
    button.onclick = () => attempt(async () => show(await call('/orders', { item: id })))
    element('goods').append(row)
  }
})
