import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TextEnvelope } from '../../../codec/textEnvelope.js'
import { chainCliKeygen, layerCliKeygen } from '../../../utils/inner.js'
import { ChainCliWallet } from '../../../wallet/inner.js'
import type { Terminal } from '../../terminal.js'
import { CommandFailure, parseOptions, UsageError, wholeNumberOption } from '../../usage.js'
import { writeNewFile } from './files.js'

const TEXT = { type: 'string' } as const
const OPTIONS = { out: TEXT, name: TEXT, 'network-id': TEXT, json: { type: 'boolean' } } as const

/** Returns the text of a key file, byte for byte as hydra-node and cardano-cli write it. */
export function keyFileText({ type, description, cborHex }: TextEnvelope): string {
  return `${JSON.stringify({ type, description, cborHex }, null, 4)}\n`
}

/** `layer-sdk setup keys`: makes both key pairs of a party in a folder. Only the owner can read the signing keys. */
export function makeKeys(args: readonly string[], terminal: Terminal): void {
  const values = parseOptions(args, OPTIONS)
  const { out, name = 'party' } = values
  if (out === undefined) throw new UsageError('--out is missing: the folder of the key files.')
  if (!/^[A-Za-z0-9][\w-]{0,39}$/.test(name)) throw new UsageError('--name needs letters, digits, - and _, at most 40.')
  const networkId = wholeNumberOption('network-id', values['network-id'], 1) === 1 ? 1 : 0
  const pathOf = (kind: string): string => join(out, `${name}.${kind}`)
  const kinds = ['hydra.sk', 'hydra.vk', 'cardano.sk', 'cardano.vk']
  // Before the first is written: a pair that is half old and half new would be of no use.
  const existingPath = kinds.map(pathOf).find((path) => existsSync(path))
  if (existingPath !== undefined)
    throw new CommandFailure(`The file ${existingPath} is there already: it stays as it is.`)
  try {
    mkdirSync(out, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new CommandFailure(
      `The folder ${out} cannot be made (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`
    )
  }
  const [hydra, cardano] = [layerCliKeygen(), chainCliKeygen()]
  for (const [kind, pair] of [
    ['hydra', hydra],
    ['cardano', cardano]
  ] as const) {
    writeNewFile(pathOf(`${kind}.sk`), keyFileText(pair.sk), 0o600)
    writeNewFile(pathOf(`${kind}.vk`), keyFileText(pair.vk), 0o644)
  }
  const wallet = new ChainCliWallet({ networkId, skey: cardano.sk })
  const address = wallet.getAddressBech32()
  wallet.dispose()
  if (values.json === true) return terminal.out(JSON.stringify({ address, files: kinds.map(pathOf) }))
  terminal.error(`The keys are in ${kinds.map(pathOf).join(', ')}. Keep the .sk files secret.`)
  terminal.out(address)
}
