import { existsSync, writeFileSync } from 'node:fs'
import { WebsocketConnector } from '../../bridge/index.js'
import { stringifyJson } from '../../codec/json.js'
import { publicLife, runConformance } from '../../conformance/inner.js'
import { conformanceJson, conformanceText } from '../conformance/conformanceText.js'
import { startTwin } from '../conformance/startTwin.js'
import type { Wallet } from '../../types/wallet.js'
import type { ChainCliWallet } from '../../wallet/inner.js'
import type { Terminal } from '../terminal.js'
import { CommandFailure, ExitWithCode, parseOptions } from '../usage.js'
import { DEFAULT_URL, NODE_OPTIONS, readKeyFile, timeoutOf } from './headConnection.js'
import { ledgerAccessOf } from './moves.js'

const TEXT = { type: 'string' } as const
const FLAG = { type: 'boolean' } as const
const OPTIONS = {
  ...NODE_OPTIONS,
  second: TEXT,
  key: TEXT,
  provider: TEXT,
  testnet: FLAG,
  out: TEXT,
  show: FLAG
} as const
/** Default limit of a step, ms: deposits and withdrawals wait for the base ledger. */
const STEP_MS = 600_000

/**
 * `layer-sdk conformance`: runs the same actions, from opening a head to its fanout, on a node and on a local head of
 * the same version, and compares their messages.
 */
export async function conformanceCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const values = parseOptions(args, OPTIONS)
  const stepLimitMs = timeoutOf(values, STEP_MS)
  // A life costs minutes: its file is not refused at the end.
  if (values.out !== undefined && existsSync(values.out))
    throw new CommandFailure(`The file ${values.out} exists; name another one.`)
  const [url, second] = [values.url ?? process.env['LAYER_URL'] ?? DEFAULT_URL, values.second]
  const connectorOf = (websocketUrl: string): WebsocketConnector => new WebsocketConnector({ websocketUrl })
  const [connector, other] = [connectorOf(url), second === undefined ? null : connectorOf(second)]
  const keyFile = values.key ?? process.env['LAYER_KEY']
  const ledger = values.provider === undefined ? {} : await ledgerAccessOf(values.provider, 0)
  const wallet = keyFile === undefined ? null : readKeyFile(keyFile, 0, ledger)
  try {
    const { report, node } = await runConformance({
      connector,
      second: other,
      // Without a base ledger it has no outputs to deposit.
      wallet: wallet === null || values.provider !== undefined ? wallet : inHeadOnly(wallet),
      stepLimitMs,
      isTestnet: values.testnet === true,
      startTwin,
      onStep: (step) => terminal.error(`conformance: ${step}`)
    })
    const file = stringifyJson(publicLife(node, report, new Date()))
    if (values.out !== undefined) write(values.out, file)
    if (values.json === true)
      terminal.out(stringifyJson({ ...conformanceJson(report), ...(values.show === true ? { file } : {}) }))
    else {
      if (values.show === true) terminal.out(file)
      terminal.out(conformanceText(report))
    }
    if (report.differs.length > 0) throw new ExitWithCode(1)
  } finally {
    wallet?.dispose()
  }
}

/** Returns a wallet without access to the base ledger, which can pay in the head but not deposit. */
function inHeadOnly(wallet: ChainCliWallet): Wallet {
  return {
    getChangeAddress: () => wallet.getAddressBech32(),
    getAddresses: () => [wallet.getAddressBech32()],
    signTx: (cbor, partial) => wallet.signTx(cbor, partial)
  }
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, `${text}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new CommandFailure(
      code === 'EEXIST' ? `The file ${path} exists; name another one.` : `The file ${path} cannot be written (${code}).`
    )
  }
}
