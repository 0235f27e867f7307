import { writeFileSync } from 'node:fs'
import type { textEnvelope } from '../../codec/textEnvelope.js'
import { chainCliKeygen } from '../../utils/inner.js'
import { ChainCliWallet } from '../../wallet/inner.js'
import type { Terminal } from '../terminal.js'
import { CommandFailure, parseOptions, UsageError, wholeNumberOption } from '../usage.js'

const OPTIONS = {
  out: { type: 'string' },
  'test-key': { type: 'string' },
  'network-id': { type: 'string' },
  show: { type: 'boolean' },
  json: { type: 'boolean' }
} as const

const TEST_KEYS = ['alice', 'bob', 'carol']

/** `layer-sdk keygen`: makes a payment key. The secret is written into a file, or printed only on request. */
export async function keygen(args: readonly string[], terminal: Terminal): Promise<void> {
  const values = parseOptions(args, OPTIONS)
  const { out, show = false, json = false } = values
  const networkId = wholeNumberOption('network-id', values['network-id'], 1) === 1 ? 1 : 0
  if (out === undefined && !show)
    throw new UsageError('keygen needs --out FILE for the signing key, or --show to print it.')
  const { skey, address } = await keyOf(values['test-key'], networkId)
  if (out !== undefined) writeKey(out, JSON.stringify(skey, null, 4))
  if (json) return terminal.out(JSON.stringify({ address, file: out, skey: show ? skey : undefined }))
  if (out !== undefined) terminal.out(`The signing key is in ${out}.`)
  if (show) terminal.out(JSON.stringify(skey, null, 4))
  terminal.out(address)
}

type KeyFile = ReturnType<typeof textEnvelope>

async function keyOf(testKey: string | undefined, networkId: 0 | 1): Promise<{ skey: KeyFile; address: string }> {
  if (testKey !== undefined) return publicKeyOf(testKey, networkId)
  const { sk } = chainCliKeygen()
  const wallet = new ChainCliWallet({ networkId, skey: sk })
  const address = wallet.getAddressBech32()
  wallet.dispose()
  return { skey: sk, address }
}

/** Returns a test key of the local head node, by name or account number. Its signing key is publicly known. */
async function publicKeyOf(name: string, networkId: 0 | 1): Promise<{ skey: KeyFile; address: string }> {
  if (networkId === 1) throw new UsageError('--test-key is for test networks: its signing key is public.')
  if (TEST_KEYS.includes(name)) {
    const { deriveKey, fundedKey } = await import('../../devnode/settings/keys.js')
    const { skey, address } = fundedKey(deriveKey('layer-sdk', name), networkId, 0n)
    return {
      skey: { type: 'PaymentSigningKeyShelley_ed25519', description: 'Public test key', cborHex: skey },
      address
    }
  }
  const index = /^\d{1,2}$/.test(name) ? Number(name) : null
  if (index === null)
    throw new UsageError(
      `--test-key needs ${TEST_KEYS.join(', ')} or the number of an account, 0 to 99, not "${name}".`
    )
  const { deriveAccounts, DEV_PHRASE } = await import('../../devnode/settings/accounts.js')
  const { skey, address } = deriveAccounts({ phrase: DEV_PHRASE, count: index + 1, networkId, lovelace: 0n })[index]!
  return {
    skey: { type: 'PaymentExtendedSigningKeyShelley_ed25519_bip32', description: 'Public test key', cborHex: skey },
    address
  }
}

/** Writes a file that its owner alone can read. @throws CommandFailure, also when the file exists already */
function writeKey(path: string, text: string): void {
  try {
    writeFileSync(path, `${text}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new CommandFailure(
      code === 'EEXIST'
        ? `The file ${path} is there already: it stays as it is.`
        : `The file ${path} cannot be written (${code}).`
    )
  }
}
