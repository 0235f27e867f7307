import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './run.mjs'

/**
 * Packs what would be published and unpacks it in a temporary folder.
 * @returns {{ tarball: string, folder: string, files: string[], unpackedSize: number, remove: () => void }}
 */
export function packAndUnpack() {
  const temporary = mkdtempSync(join(tmpdir(), 'layer-sdk-pack-'))
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', temporary]))
  const tarball = join(temporary, packed.filename)
  const folder = join(temporary, 'unpacked', 'package')
  mkdirSync(join(temporary, 'unpacked'))
  run('tar', ['-xzf', tarball, '-C', join(temporary, 'unpacked')])
  return {
    tarball,
    folder,
    files: packed.files.map(({ path }) => path),
    unpackedSize: packed.unpackedSize,
    remove: () => rmSync(temporary, { recursive: true, force: true })
  }
}
