new Worker('./browser.mjs', { type: 'module' })
