import { isLayerError } from 'layer-sdk'

/** An element of index.html by its id. */
export const element = (id) => document.getElementById(id)

export const show = (id) => {
  element(id).hidden = false
}

export const say = (id, text) => {
  element(id).textContent = text
}

/** Runs what a person asked for; what goes wrong is said on the page. */
export async function attempt(action) {
  element('problem').hidden = true
  try {
    await action()
  } catch (error) {
    say('problem', inWords(error))
    show('problem')
  }
}

function inWords(error) {
  // CIP-30: 2 is a declined signature. Nothing was sent then.
  if (isLayerError(error, 'WALLET_CIP30') && error.cip30Code === 2) return 'You declined to sign. Nothing was sent.'
  // A wallet that was not enabled rejects with an object of its own.
  return error?.message ?? error?.info ?? String(error)
}
