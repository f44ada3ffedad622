// The kit, and what is loaded a second after the page came up, to say in a hidden one that questions wait.
export * from '../src/components/attention/watch-attention.js'
export * from '../src/index.js'
