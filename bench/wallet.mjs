// Wallets: derivation, signatures, transactions and data signatures, against the rival SDK and the WebAssembly library
// it stands on. The library is called in its fastest correct way; the samples are made here, so every machine signs the
// same.
import CSL from '@emurgo/cardano-serialization-lib-nodejs'
import * as hydra from '@hydra-sdk/core'
import { build } from 'esbuild'
import { AppWallet, ChainCliWallet, EmbeddedWallet, verifyData } from 'layer-sdk/wallet'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundles, load } from './support/bundle.mjs'

const ROUNDS = 5
const ROUND_MS = 400
const HARD = 0x80000000
const WASM = 'serialization-lib (WASM)'
const RIVAL = '@hydra-sdk/core'
const words = 'test walk nut penalty hip pave soap entry language right filter choice'.split(' ')
const key = { type: 'mnemonic', words }

/** Calls a second over one round. */
async function round(call) {
  let count = 0
  const start = performance.now()
  do {
    await call()
    count++
  } while (performance.now() - start < ROUND_MS)
  return (count * 1000) / (performance.now() - start)
}

/** Best round of each; the rounds take turns, so that a slow moment of the machine hits both. */
async function compare(ours, rival) {
  const best = [0, 0]
  for (const call of [ours, rival]) if (call) for (let i = 0; i < 5; i++) await call()
  for (let i = 0; i < ROUNDS; i++) {
    best[0] = Math.max(best[0], await round(ours))
    if (rival) best[1] = Math.max(best[1], await round(rival))
  }
  return best
}

const output = (i) =>
  `82581d60${(i % 256).toString(16).padStart(2, '0').repeat(28)}1a${(1_000_000 + i).toString(16).padStart(8, '0')}`
const transaction = (count) => {
  const outputs = Array.from({ length: count }, (_, i) => output(i)).join('')
  const head = count < 24 ? (0x80 + count).toString(16) : `99${count.toString(16).padStart(4, '0')}`
  return `84a30081825820${'11'.repeat(32)}0001${head}${outputs}021a0002a300a0f5f6`
}

/** Runs without the runtime's native PBKDF2, as in a browser. */
function inJavaScript(call) {
  return () => {
    const { getBuiltinModule } = process
    process.getBuiltinModule = undefined
    try {
      return call()
    } finally {
      process.getBuiltinModule = getBuiltinModule
    }
  }
}

/** The library's own account: private keys of an index, as our wallet has them too, and their address as text. */
function wasmAccount() {
  const root = CSL.Bip32PrivateKey.from_hex(EmbeddedWallet.mnemonicToPrivateKeyHex(words))
  const account = root
    .derive(1852 + HARD)
    .derive(1815 + HARD)
    .derive(HARD)
  const [payments, stakes] = [0, 2].map((role) => account.derive(role))
  const credential = (parent, index) =>
    CSL.Credential.from_keyhash(parent.derive(index).to_public().to_raw_key().hash())
  return {
    key: account.derive(0).derive(0).to_raw_key(),
    address: (index) =>
      CSL.BaseAddress.new(0, credential(payments, index), credential(stakes, index)).to_address().to_bech32()
  }
}

/** What is internal: the verification, and one product of noble's base point, the yardstick of a signature. */
async function ourParts() {
  const contents = `export { verify } from './src/crypto/ed25519.ts'
    export { Point } from '@noble/ed25519'`
  const resolveDir = join(dirname(fileURLToPath(import.meta.url)), '..')
  const { outputFiles } = await build({
    stdin: { contents, resolveDir, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`)
}

export async function run() {
  const parts = await ourParts()
  const built = await bundles()
  try {
    return await rowsOf(parts, built)
  } finally {
    built.remove()
  }
}

async function rowsOf(parts, built) {
  const rows = []
  const row = async (name, target, rivalName, ours, rival) => {
    const [our, their] = await compare(ours, rival)
    rows.push({
      name,
      unit: 'per s',
      ours: our,
      rival: their,
      rivalName,
      ratio: our / their,
      target: `>= ${target}`,
      pass: our / their >= target
    })
  }
  const newAccount = () => new AppWallet({ networkId: 0, key }).getAccount(0, 0)
  const rivalAccount = () => new hydra.AppWallet({ networkId: 0, key }).getAccount(0, 0)
  await row('recovery phrase to account', 2, RIVAL, newAccount, rivalAccount)
  await row('recovery phrase to account, pure JavaScript', 0.5, RIVAL, inJavaScript(newAccount), rivalAccount)

  const wallet = new AppWallet({ networkId: 0, key })
  const wasm = wasmAccount()
  const next = { ours: 0, wasm: 0 }
  await row(
    'next address of an account',
    1.25,
    WASM,
    () => wallet.getPaymentAddress(0, next.ours++),
    () => wasm.address(next.wasm++)
  )

  const { paymentKey } = wallet.getAccount()
  const message = Uint8Array.from({ length: 32 }, (_, i) => i)
  // Any of 252 bits: noble's time does not depend on it.
  const scalar = BigInt(`0x0${'7'.repeat(63)}`)
  await row(
    "signature of a key at hand, against one product of noble's base point",
    0.77,
    'a base product of @noble/ed25519',
    () => paymentKey.sign(message),
    () => parts.Point.BASE.multiply(scalar)
  )
  await row(
    'signature of a key at hand',
    1,
    WASM,
    () => paymentKey.sign(message),
    () => wasm.key.sign(message).to_bytes()
  )

  for (const [name, target, tx] of [
    ['small', 1.7, transaction(2)],
    ['16 KB', 1, transaction(430)]
  ]) {
    const rival = () => {
      const fixed = CSL.FixedTransaction.from_hex(tx)
      fixed.sign_and_add_vkey_signature(wasm.key)
      return fixed.to_hex()
    }
    await row(`signTx, ${name} (${tx.length / 2} bytes)`, target, WASM, () => wallet.signTx(tx), rival)
  }

  const rivalWallet = new hydra.AppWallet({ networkId: 0, key })
  const small = transaction(2)
  await row(
    'signTx, small, against the rival SDK',
    4,
    RIVAL,
    () => wallet.signTx(small),
    () => rivalWallet.signTx(small)
  )

  const seed = '07'.repeat(32)
  const cli = new ChainCliWallet({ networkId: 0, skey: `5820${seed}` })
  const wasmKey = CSL.PrivateKey.from_normal_bytes(Buffer.from(seed, 'hex'))
  await row(
    'ChainCliWallet.signTx, small',
    5,
    WASM,
    () => cli.signTx(small),
    () => {
      const fixed = CSL.FixedTransaction.from_hex(small)
      fixed.sign_and_add_vkey_signature(wasmKey)
      return fixed.to_hex()
    }
  )
  if (built.first !== null) {
    const first = new (await load(built.first, 'wallet')).ChainCliWallet({ networkId: 0, skey: `5820${seed}` })
    await row(
      'ChainCliWallet.signTx, small',
      4,
      'layer-sdk 0.1.0',
      () => cli.signTx(small),
      () => first.signTx(small)
    )
  }
  const signature = wasmKey.sign(message)
  const [signatureBytes, publicKey] = [signature.to_bytes(), wasmKey.to_public()]
  const publicBytes = publicKey.as_bytes()
  if (!parts.verify(signatureBytes, message, publicBytes)) throw new Error('a valid signature was refused')
  await row(
    'verify a signature',
    2,
    WASM,
    () => parts.verify(signatureBytes, message, publicBytes),
    () => publicKey.verify(message, signature)
  )

  const address = wallet.getPaymentAddress()
  const signed = await wallet.signData(address, 'login 42')
  const [ours] = await compare(() => verifyData({ ...signed, address, payload: 'login 42' }))
  rows.push({
    name: 'verifyData',
    unit: 'per s',
    ours,
    rival: null,
    rivalName: null,
    ratio: null,
    target: '>= 500',
    pass: ours >= 500
  })
  return rows
}
