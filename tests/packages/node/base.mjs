// The same in an engine that says it has no SIMD, which gets another module.

const { validate } = WebAssembly;
WebAssembly.validate = () => false;
const { loadAsset, support } = await import('gambol');
if (support().simd) throw new Error('it has SIMD');
const { pathToFileURL } = await import('node:url');
const [file, time] = process.argv.slice(2);
const asset = await loadAsset(pathToFileURL(file));
WebAssembly.validate = validate;
console.log(asset.sample(asset.clips[0], Number(time)).hash);
