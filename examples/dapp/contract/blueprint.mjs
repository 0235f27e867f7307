// The blueprint (CIP-57) of game.mjs: its code, and the forms of its datum and redeemer.
import { game } from './game.mjs'
import { compiledCode } from './uplc.mjs'

const BYTES = { dataType: 'bytes' }
const INTEGER = { dataType: 'integer' }
const ref = (name) => ({ $ref: `#/definitions/${name}` })
const constructor = (title, index, fields = {}) => ({
  title,
  dataType: 'constructor',
  index,
  fields: Object.entries(fields).map(([name, schema]) => ({ ...(/^\d/.test(name) ? {} : { title: name }), ...schema }))
})
const option = (schema) => ({ anyOf: [constructor('Some', 0, { 0: schema }), constructor('None', 1)] })

const definitions = {
  Hand: { title: 'Hand', ...INTEGER },
  Credential: { anyOf: [constructor('Key', 0, { 0: BYTES }), constructor('Script', 1, { 0: BYTES })] },
  Stake: {
    anyOf: [
      constructor('Inline', 0, { 0: ref('Credential') }),
      constructor('Pointer', 1, { 0: INTEGER, 1: INTEGER, 2: INTEGER })
    ]
  },
  Address: { anyOf: [constructor('Address', 0, { payment: ref('Credential'), stake: option(ref('Stake')) })] },
  Player: {
    anyOf: [constructor('Player', 0, { address: ref('Address'), commitment: BYTES, hand: option(ref('Hand')) })]
  },
  Game: {
    anyOf: [
      constructor('Game', 0, {
        first: ref('Player'),
        second: option(ref('Player')),
        stake: INTEGER,
        joinBy: INTEGER,
        revealBy: INTEGER
      })
    ]
  },
  Move: {
    anyOf: [
      constructor('Join', 0, { address: ref('Address'), commitment: BYTES }),
      constructor('Reveal', 1, {
        isSecond: { anyOf: [constructor('False', 0), constructor('True', 1)] },
        hand: ref('Hand'),
        salt: BYTES
      }),
      constructor('Claim', 2)
    ]
  }
}

/** The blueprint, as an object. */
export const blueprint = {
  preamble: { title: 'rock, paper, scissors', version: '1.0.0', plutusVersion: 'v3' },
  validators: [
    {
      title: 'game.spend',
      datum: { title: 'game', schema: ref('Game') },
      redeemer: { title: 'move', schema: ref('Move') },
      compiledCode: compiledCode(game)
    }
  ],
  definitions
}
