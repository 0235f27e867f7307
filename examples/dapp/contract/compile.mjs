// node contract/compile.mjs: writes the blueprint of game.mjs to plutus.json, as a compiler does.
import { writeFileSync } from 'node:fs'
import { blueprint } from './blueprint.mjs'

writeFileSync(new URL('plutus.json', import.meta.url), `${JSON.stringify(blueprint, null, 2)}\n`)
