import vue from '@vitejs/plugin-vue';

const isCustomElement = (tag) => tag.startsWith('gambol-');

export default { plugins: [vue({ template: { compilerOptions: { isCustomElement } } })] };
