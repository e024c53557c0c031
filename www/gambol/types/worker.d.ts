// `gambol/worker.js`: the script of `renderer: 'worker'`, which a page names by its address. It exports nothing.

export {};
