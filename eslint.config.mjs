import { relative, sep } from 'node:path'
import js from '@eslint/js'
import tseslint from 'typescript-eslint'
import { ROOT } from './scripts/entries.mjs'
import layers from './scripts/layering.cjs'

const { importProblem, NODE_ROOMS } = layers

/** Holds every import of src/ to the layers of scripts/layering.mjs. */
const layering = {
  meta: { type: 'problem', schema: [], messages: { wrong: '{{ problem }} (see docs/architecture.md)' } },
  create(context) {
    const file = relative(`${ROOT}/src`, context.filename).split(sep).join('/')
    const check = (kind) => (node) => {
      if (node.source?.type !== 'Literal') return
      const typeOnly = node.importKind === 'type' || node.exportKind === 'type'
      const problem = importProblem(file, node.source.value, { ...kind, typeOnly })
      if (problem !== null) context.report({ node, messageId: 'wrong', data: { problem } })
    }
    return {
      ImportDeclaration: check({}),
      ExportNamedDeclaration: check({}),
      ExportAllDeclaration: check({}),
      ImportExpression: check({ lazy: true })
    }
  }
}

const typed = tseslint.config({
  files: ['src/**/*.ts', 'src/**/*.tsx', 'test/**/*.ts', '*.ts'],
  extends: [tseslint.configs.base],
  languageOptions: { parserOptions: { projectService: { allowDefaultProject: ['*.ts'] }, tsconfigRootDir: ROOT } },
  rules: {
    '@typescript-eslint/no-floating-promises': 'error',
    '@typescript-eslint/no-misused-promises': 'error',
    '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
    '@typescript-eslint/no-explicit-any': 'error',
    '@typescript-eslint/no-unused-vars': [
      'error',
      { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' }
    ],
    'no-restricted-syntax': [
      'error',
      { selector: 'TSEnumDeclaration', message: 'Use a const object and a union.' },
      { selector: 'ExportDefaultDeclaration', message: 'Exports are named.' }
    ],
    'no-var': 'error',
    'prefer-const': ['error', { ignoreReadBeforeAssign: true }],
    eqeqeq: ['error', 'always', { null: 'ignore' }]
  }
})

const NODE_GLOBALS = [
  'Buffer',
  'process',
  'require',
  '__dirname',
  '__filename',
  'global',
  'setImmediate',
  'clearImmediate'
]

export default [
  {
    ignores: [
      'dist/',
      'dist.*/',
      'coverage/',
      '.cache/',
      'bench/',
      'docs/',
      'examples/',
      'temp/',
      'test/env/',
      'test/types/',
      'test/builders/',
      'etc/',
      'site/dist/',
      'site/.vitepress/.temp/'
    ]
  },
  { ...js.configs.recommended, files: ['**/*.mjs'] },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: {
        console: 'readonly',
        process: 'readonly',
        URL: 'readonly',
        module: 'readonly',
        require: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        fetch: 'readonly',
        Buffer: 'readonly',
        performance: 'readonly',
        TextDecoder: 'readonly',
        TextEncoder: 'readonly'
      }
    }
  },
  {
    // What a test has run inside the page.
    files: ['test/dashboard/**/*.mjs'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'window',
          'document',
          'location',
          'localStorage',
          'sessionStorage',
          'PerformanceObserver',
          'getComputedStyle',
          'requestAnimationFrame'
        ].map((name) => [name, 'readonly'])
      )
    }
  },
  ...typed,
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    plugins: { 'layer-sdk': { rules: { layering } } },
    rules: {
      'layer-sdk/layering': 'error',
      'max-lines': ['error', { max: 300 }],
      'no-console': 'error'
    }
  },
  // One codec or one proof fills a file.
  {
    files: ['src/codec/**/*.ts', 'src/crypto/**/*.ts', 'src/devnode/wire/cbor/**/*.ts'],
    rules: { 'max-lines': ['error', { max: 400 }] }
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    ignores: NODE_ROOMS.map((room) => `src/${room}/**`),
    rules: {
      // globalThis.process?.… is the way to use what a runtime may have.
      'no-restricted-globals': [
        'error',
        ...NODE_GLOBALS.map((name) => ({ name, message: 'This room runs in browsers and workers too.' }))
      ]
    }
  },
  { files: ['src/cli/**/*.ts'], rules: { 'no-console': 'off' } },
  {
    files: ['test/**/*.ts', '*.ts'],
    rules: { '@typescript-eslint/no-explicit-any': 'off', 'no-restricted-syntax': 'off' }
  }
]
